package experiment

import (
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Metrics returns the metrics of these names, each named once.
func Metrics(names []string) (list []result.Metric, err error) {
	for _, name := range names {
		m, ok := result.MetricOf(name)
		if !ok {
			return nil, noMetric(name)
		}
		if slices.ContainsFunc(list, func(other result.Metric) bool { return other.Name == name }) {
			return nil, fmt.Errorf("metric %s is given twice", name)
		}
		list = append(list, m)
	}
	return list, nil
}

// TableMetrics are the metrics that tables have.
func TableMetrics() []result.Metric {
	return slices.DeleteFunc(slices.Clone(result.Metrics()), result.Metric.FilesOnly)
}

// Summaries are the summaries of runs.
func Summaries(runs []campaign.Run) (list []*result.Summary) {
	for i := range runs {
		list = append(list, runs[i].Summary)
	}
	return list
}

// noMetric is the error for an unknown metric: it names the probable one, or the list.
func noMetric(name string) error {
	return fmt.Errorf("there is no metric %q: %s", name,
		spelling.Hint(name, result.MetricNames(), "`rocelab metrics` lists the allowed ones"))
}
