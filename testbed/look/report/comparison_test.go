package report

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// seeds are runs of a variant with a completion time each.
func seeds(variant string, times ...float64) (runs []fakeRun) {
	for i, time := range times {
		r := plain(variant)
		r.seed = uint64(i) + 1
		r.metrics = map[string]float64{"fct_p99_us": time, "drops": 0}
		runs = append(runs, r)
	}
	return runs
}

// The ratios are those of the medians that the table has, with the interval that compare
// gives; a variant that is void is left out, and so is a metric that is 0 of all. Tier: -short.
func TestComparison(t *testing.T) {
	runs := append(seeds("a", 10, 12, 11, 13, 17, 19, 8), seeds("b", 20, 30, 24, 39, 25, 50, 21)...)
	void := plain("c")
	void.verdict = "void"
	files := folderOf(t, "one", append(runs, void)...)
	page := written(t, opened(t, "run", files))
	root := parsed(t, page)
	text := descOf(t, drawingsOf(t, root), "comparison-picture")
	a, b := []float64{10, 12, 11, 13, 17, 19, 8}, []float64{20, 30, 24, 39, 25, 50, 21}
	m, _ := result.MetricOf("fct_p99_us")
	d := compare.Between(a, b, m)
	low, high := compare.RatioText(d.Interval.Low), compare.RatioText(d.Interval.High)
	if !strings.Contains(text, "fct_p99_us of b: 2.083 "+d.Interval.String()) || strings.Contains(text, "drops") ||
		strings.Contains(text, "of c:") {
		t.Error(text)
	}
	table := textOf(byID(t, root, "comparison-table"))
	for _, want := range []string{"12", "25", low, high, "c is left out"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q has no %q", table, want)
		}
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
	one := parsed(t, written(t, opened(t, "run", folderOf(t, "one", plain("a"), plain("b")))))
	if text := textOf(byID(t, one, "comparison")); !strings.Contains(text, "one seed: no intervals") {
		t.Error(text)
	}
}
