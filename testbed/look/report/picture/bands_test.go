package picture

import (
	"math"
	"strings"
	"testing"
)

func TestBands(t *testing.T) {
	drawn := Bands{Title: "R01", Of: "hardware", Rows: []Band{
		{"in", 1.01, 0.98, 1.02, Key{"in", 0}},
		{evil, 1e9, 0.5, 2, Key{"out", 1}},
		{"low", 0, 0.5, math.Inf(1), Key{"out", 1}},
		{"none", math.NaN(), 0.99, 1.01, Key{"not run", 2}},
	}}.Draw()
	proper(t, drawn)
	for _, want := range []string{"in: 1.01, in.", "none: nothing, not run."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(drawn.Element(), want) {
				t.Errorf("the picture does not tell %q", want)
			}
		})
	}
	proper(t, Bands{Title: evil, Of: evil}.Draw())
}
