package picture

import (
	"fmt"
	"strings"
	"testing"
)

// Tier: -short, as all of this file.
func TestLate(t *testing.T) {
	d := Late{What: "Lateness at edges", Lines: []LateLine{
		{Key{"e0", 0}, []LateBin{{0.999, 900}, {1.0625, 90}, {16, 9}, {4000, 1}}},
		{Key{evil, 1}, []LateBin{{2, 5}}},
		{Key{"none", 2}, nil},
	}}
	p := d.Draw()
	golden(t, "late", p)
	if !strings.Contains(p.Description, "e0: 1000 samples, none later than 4000 us.") ||
		strings.Contains(p.Element(), "none<") {
		t.Error(p.Description)
	}
	golden(t, "late-empty", Late{What: "Lag", Lines: []LateLine{{Key{"a", 0}, []LateBin{}}}}.Draw())
	for _, bins := range [][]LateBin{{{0, 1}}, {{0.5, 1 << 62}}, {{1e-3, 1}, {1e12, 1 << 40}}, {{3, 0}, {5, 2}}} {
		t.Run(fmt.Sprint(bins), func(t *testing.T) {
			proper(t, Late{What: "x", Lines: []LateLine{{Key{"one", 9}, bins}}}.Draw())
		})
	}
	// Of 1000 samples 10 % are later than 0.999 us, 1 % than 1.0625 us, 0.1 % than 16 us.
	f := frame{left: 0, top: 0, x: scale{0.1, 1e5, 0, 600, true}, y: scale{0.001, 1, 300, 0, true}}
	if got, want := d.Lines[0].curve(f).String(), "M0 0H100V100H102.6V200H220.4V300H460.2V300"; got != want {
		t.Errorf("the line is %s, want %s", got, want)
	}
}
