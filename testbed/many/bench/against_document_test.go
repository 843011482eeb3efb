package bench

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// The ratio, the traces of both and memory are printed, and a trace that differs is named.
func TestAgainstPrints(t *testing.T) {
	results := Against{
		Other: "./before",
		Runs: []Match{
			{
				Name:    "incast/dcqcn",
				Workers: 1,
				This:    Side{CPU: []float64{1, 2, 3, 4, 5, 6, 7}, Trace: "aaaa", Peak: 27e6, PerHost: 4321},
				Other:   Side{CPU: []float64{2, 4, 6, 8, 10, 12, 14}, Trace: "aaaa", Peak: 29e6},
				Ratios:  []float64{.5, .5, .5, .5, .5, .5, .5},
				Ratio:   .5,
			},
			{
				Name:   "hosts/8192",
				This:   Side{CPU: []float64{1}, Trace: "bbbb"},
				Other:  Side{CPU: []float64{1}, Trace: "bbbb"},
				Ratios: []float64{1},
				Ratio:  1,
			},
			{
				Name:   "incast/pc4",
				This:   Side{CPU: []float64{1}, Trace: "cccc"},
				Other:  Side{CPU: []float64{1}, Trace: "dddd"},
				Ratios: []float64{1},
				Ratio:  1,
			},
		},
		Counts: []Count{{
			Name:  "incast/none",
			This:  Instructions{Total: 300e6, Empty: 100e6, Trace: "eeee"},
			Other: Instructions{Total: 500e6, Empty: 100e6, Trace: "eeee"},
			Ratio: .5,
		}},
	}
	if results.Same() {
		t.Error("a trace that differs is not seen")
	}
	var b bytes.Buffer
	if err := results.Document().Print(&b, page.Format("table"), page.Page{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{
		"incast/dcqcn │       1 │ 4.00  │ 8.00  │ 0.500 │ 0.500..0.500 │ 0 of 7  │ aaaa",
		"27MB",
		"4.321KB",
		"incast/dcqcn: this program is faster: the median is below 1, and 0 of 7 pairs are above",
		"hosts/8192: 1 pairs are too few to call one of them faster: that takes 7",
		"incast/pc4: the traces differ: this program has cccc, the other dddd",
		"incast/none │ 300.00 M     │ 500.00 M │ 100.00 M        │ 100.00 M │ 0.5000 │ eeee  │ eeee",
	} {
		t.Run(words, func(t *testing.T) {
			if !strings.Contains(b.String(), words) {
				t.Errorf("lacks %q:\n%s", words, b.String())
			}
		})
	}
	results.Runs = results.Runs[:2]
	if !results.Same() {
		t.Error("equal traces differ")
	}
}
