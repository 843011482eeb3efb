package picture

import (
	"strings"
	"testing"
)

func TestDepth(t *testing.T) {
	d := Depth{
		Queue: "s0:16 to h16, queue 3",
		Lines: []Depths{
			{Key: Key{"dcqcn", 0}, Width: 100, Bytes: []float64{0, 3e6, 9.4e6, -1, 2e6, 1e6}},
			{Key: Key{evil, 1}, First: 1, Width: 200, Bytes: []float64{800e3, 10e3}},
		},
		Levels: []Level{{"Kmin", 400e3}, {"Kmax", 1.6e6}, {"beyond", 99e6}},
	}
	p := d.Draw()
	golden(t, "depth", p)
	if strings.Contains(p.File(), "beyond") || !strings.Contains(p.File(), "Kmax 1.6 MB") {
		t.Error("levels within the picture have a name, and no other is drawn")
	}
	if !strings.Contains(p.Description, "dcqcn: at most 9.4 MB.") {
		t.Errorf("the description is %q", p.Description)
	}
	golden(t, "depth-empty", Depth{Queue: "s0:1", Lines: []Depths{{Width: 1, Bytes: []float64{0, 0}}}}.Draw())
	// A bin without a value interrupts the line: the part behind it begins with a move.
	curve := d.Lines[0].curve(frame{x: scale{0, 600, 0, 600, false}, y: scale{0, 10e6, 100, 0, false}}, 1).String()
	if want := "M0 100H100V70H200V6H300M400 80H500V90H600"; curve != want {
		t.Errorf("the line is %s, want %s", curve, want)
	}
}

// Names of levels never lie over each other: close ones are one text.
func TestNamesOfLevels(t *testing.T) {
	lines := []Depths{{Key: Key{"a", 0}, Width: 100, Bytes: []float64{1e6, 10e6}}}
	for _, c := range []struct {
		levels []Level
		want   []string
	}{
		{[]Level{{"Kmin", 4e6}, {"Kmax", 4.1e6}}, []string{">Kmin 4 MB, Kmax 4.1 MB<"}},
		{[]Level{{"Kmin", 4e6}, {"Kmax", 8e6}}, []string{">Kmin 4 MB<", ">Kmax 8 MB<"}},
		// of two variants: 0.6 MB is some 13 pixels, so that each is too close to the one below
		{[]Level{{"Kmin", 4e6}, {"Kmax", 8e6}, {"Kmin", 4.6e6}, {"Kmax", 8.6e6}},
			[]string{">Kmin 4 MB, Kmin 4.6 MB<", ">Kmax 8 MB, Kmax 8.6 MB<"}},
		{[]Level{{"Kmax", 9.99e6}, {"Kmin", 5e3}}, []string{">Kmin 5 KB<", ">Kmax 9.99 MB<"}},
	} {
		p := Depth{Queue: "q", Lines: lines, Levels: c.levels}.Draw()
		proper(t, p)
		for _, want := range c.want {
			if strings.Count(p.Element(), want) != 1 {
				t.Errorf("%v: not once %s", c.levels, want)
			}
		}
	}
}
