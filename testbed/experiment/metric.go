package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
)

// Metrics returns the metrics of these names, each named once.
func Metrics(names []string) (list []result.Metric, err error) {
	for _, name := range names {
		m, ok := result.MetricOf(name)
		if !ok {
			return nil, fmt.Errorf("there is no metric %q%s: allowed are those that `rocelab metrics` lists", name,
				meant(name))
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

// meant is a guess at the metric that was meant; "" for none.
func meant(name string) string {
	var names []string
	for _, m := range result.Metrics() {
		names = append(names, m.Name)
	}
	near := scenario.Nearest(name, names)
	if i := slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, name) }); i >= 0 && name != "" {
		near = names[i] // the unit is missing
	}
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", near)
}
