package sweep

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// Of runs with two jobs a table has the metrics of each in the place of the averages over them, CSV has both, and so
// have pages.
func TestTablesHaveColumnsPerJob(t *testing.T) {
	mean, _ := result.MetricOf("iteration_mean_us")
	lines := []Line{{Verdict: "missing"}, {Verdict: "pass", Metrics: map[string]json.Number{"iteration_mean_us": "30",
		"job0.iterations": "2", "job0.iteration_mean_us": "20", "job1.iterations": "2", "job1.iteration_mean_us": "40"}}}
	table := Table{Lines: lines, Metrics: PerJob([]result.Metric{mean}, lines)}
	var titles []string
	for _, c := range table.Grid().Columns {
		titles = append(titles, c.Title)
	}
	if got := strings.Join(titles, " "); got != "run seed verdict job0.iteration_mean_us job1.iteration_mean_us" {
		t.Errorf("columns are %s", got)
	}
	table.Metrics = AllMetrics(lines)
	for _, name := range []string{"iteration_mean_us", "job0.iteration_mean_us", "job1.iteration_mean_us"} {
		t.Run(name, func(t *testing.T) {
			if at := slices.Index(table.Sheet()[0], name); at < 0 || table.Sheet()[2][at] != lines[1].Metrics[name].String() {
				t.Errorf("the sheet has no %s of %s: %v", name, lines[1].Metrics[name], table.Sheet())
			}
		})
	}
	_, _, drawn := partsOf(PageOf("x", nil, lines, []result.Metric{mean}))
	titles = nil
	for _, c := range drawn.Columns {
		titles = append(titles, c.Title)
	}
	if got := strings.Join(titles, " "); got != "variant runs job0.iteration_mean_us job1.iteration_mean_us" {
		t.Errorf("columns of the page are %s", got)
	}
	alone := lines[:1]
	if got := PerJob([]result.Metric{mean}, alone); len(got) != 1 || got[0].Name != mean.Name ||
		len(AllMetrics(alone)) != len(result.Metrics()) {
		t.Errorf("without jobs: %v, and %d metrics", got, len(AllMetrics(alone)))
	}
}
