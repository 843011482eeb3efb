package picture

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// ratio is a ratio with its interval, which may be chance if 1 is in it.
func ratio(key Key, value, low, high float64) Ratio {
	r := Ratio{Key: key}
	r.Ratio, r.Interval = value, compare.Interval{Low: low, High: high}
	if !(low <= 1 && high >= 1) {
		r.Certainty = compare.Sure
	}
	return r
}

// Tier: -short, as all of this file.
func TestForest(t *testing.T) {
	nan := math.NaN()
	golden(t, "forest", Forest{First: "dcqcn", Rows: []ForestRow{
		{"fct_p99_us", -1, []Ratio{ratio(Key{"pc4", 1}, 0.8, 0.78, 0.83), ratio(Key{evil, 2}, 1.1, 0.9, 1.3)}},
		{"queue_max_bytes", -1, []Ratio{ratio(Key{"pc4", 1}, 0.0014, 0.001, 0.002), ratio(Key{evil, 2}, 1.4, 1.2, 1.5)}},
		{"goodput_gbps", 1, []Ratio{ratio(Key{"pc4", 1}, 1.2, nan, nan), ratio(Key{evil, 2}, nan, nan, nan)}},
		{"pauses", -1, []Ratio{ratio(Key{"pc4", 1}, 0, 0, 0), ratio(Key{evil, 2}, 7, 3, 9)}},
	}}.Draw())
	one := Forest{First: "a", Rows: []ForestRow{{"fct_p99_us", -1, []Ratio{ratio(Key{"b", 1}, 1, nan, nan)}}}}.Draw()
	golden(t, "forest-one-seed", one)
	if !strings.Contains(one.Element(), "one seed: no intervals") {
		t.Error("a picture of one seed does not say so")
	}
	golden(t, "forest-empty", Forest{First: "dcqcn"}.Draw())
	for _, v := range []float64{1e-12, 1e12, math.Inf(1), 0} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			proper(t, Forest{First: evil, Rows: []ForestRow{{evil, 0, []Ratio{ratio(Key{"b", 9}, v, v/2, v*2)}}}}.Draw())
		})
	}
}

// A ratio that may be chance is grey, any other has the variant's colour.
func TestForestIsGreyWhereUnsure(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		unsure    bool
	}{{0.5, 0.9, false}, {0.9, 1, true}, {0.9, 1.1, true}, {1.1, 1.2, false}, {math.NaN(), math.NaN(), false}} {
		t.Run(fmt.Sprintf("low=%v,high=%v", c.low, c.high), func(t *testing.T) {
			p := Forest{First: "a", Rows: []ForestRow{{"m", -1, []Ratio{ratio(Key{"b", 1}, 1.05, c.low, c.high)}}}}.Draw()
			if got := strings.Contains(p.Element(), `class="unsure"`); got != c.unsure {
				t.Errorf("%g..%g: grey is %v", c.low, c.high, got)
			}
		})
	}
}
