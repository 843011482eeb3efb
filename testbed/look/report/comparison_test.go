package report

import (
	"fmt"
	"slices"
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

// The ratios are ratios of the table's medians, with the interval that compare gives; a void variant is left out, and
// so is a metric that is 0 for all.
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
	if !strings.Contains(text, "completion, p99 of b: 2.083 "+d.Interval.String()) || strings.Contains(text, "drops") ||
		strings.Contains(text, "of c:") {
		t.Error(text)
	}
	table := textOf(byID(t, root, "comparison-table"))
	for _, want := range []string{"12", "25", low, high, "c is left out"} {
		t.Run(fmt.Sprintf("%.50q", want), func(t *testing.T) {
			if !strings.Contains(table, want) {
				t.Errorf("%q has no %q", table, want)
			}
		})
	}
	if wrong, _ := wrongNumbers(t, page, files); len(wrong) > 0 {
		t.Error(wrong[0])
	}
	one := parsed(t, written(t, opened(t, "run", folderOf(t, "one", plain("a"), plain("b")))))
	if text := textOf(byID(t, one, "comparison")); !strings.Contains(text, "one seed: no intervals") {
		t.Error(text)
	}
}

// Beside the goodput are the shares of packets that were sent again and of frames that were lost, in the tiles and in
// the comparison; if they are zero in all runs, they are in neither.
func TestSharesAreBesideTheGoodput(t *testing.T) {
	for _, c := range []struct {
		resent, dropped float64
		want            bool
	}{{0.5, 0.02, true}, {0, 0, false}} {
		t.Run(fmt.Sprintf("resent=%v", c.resent), func(t *testing.T) {
			var runs []fakeRun
			for i, variant := range []string{"a", "b"} {
				r := plain(variant)
				r.metrics = map[string]float64{"goodput_gbps": 10, "resent_share": c.resent * float64(1+i),
					"dropped_share": c.dropped * float64(1+i)}
				runs = append(runs, r)
			}
			root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", runs...))))
			shown := textOf(byID(t, root, "comparison"))
			for _, name := range []string{"resent_share", "dropped_share"} {
				if strings.Contains(shown, label(name)) != c.want {
					t.Errorf("%v: %s in the comparison: %v\n%s", c, name, !c.want, shown)
				}
				for i, tile := range tiles(variantsOf([]*Folder{opened(t, "run", folderOf(t, "one", runs...))})) {
					in := slices.ContainsFunc(tile.Numbers, func(n number) bool { return n.Name == name })
					if in != c.want || len(tile.Numbers) > 0 && tile.Numbers[0].Name != "goodput_gbps" {
						t.Errorf("%v: %s in tile %d: %v\n%+v", c, name, i, in, tile.Numbers)
					}
				}
			}
		})
	}
}

// Of runs with two jobs the page has the metrics of each in the place of the averages over them.
func TestRowsOfJobs(t *testing.T) {
	var runs []fakeRun
	for i, variant := range []string{"a", "b"} {
		r := plain(variant)
		k := float64(1 + i)
		r.metrics = map[string]float64{"iteration_p99_us": 30 * k, "job0.iterations": 2, "job0.iteration_p99_us": 20 * k,
			"job1.iterations": 2, "job1.iteration_p99_us": 40 * k}
		runs = append(runs, r)
	}
	root := parsed(t, written(t, opened(t, "run", folderOf(t, "one", runs...))))
	for _, id := range []string{"comparison-table", "metrics-table"} {
		t.Run(id, func(t *testing.T) {
			text := textOf(byID(t, root, id))
			for _, name := range []string{"job0: iteration, p99", "job1: iteration, p99"} {
				if !strings.Contains(text, name) {
					t.Errorf("%s has no %s: %s", id, name, text)
				}
			}
			if strings.Count(text, "iteration, p99") != strings.Count(text, ": iteration, p99") {
				t.Errorf("%s has the average over the jobs: %s", id, text)
			}
		})
	}
}
