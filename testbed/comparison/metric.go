package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Metric is a row of a comparison.
type Metric struct {
	result.Metric
	// always says that the row is shown even if it is zero everywhere.
	always bool
}

// usual are the rows of a comparison for which none were chosen, in their
// order.
var usual = []string{
	"fct_mean_us", "fct_p99_us", "slowdown_p50", "slowdown_p99", "queueing_mean_us", "queueing_p99_us", "goodput_gbps",
	"flow_rate_gbps", "jain",
	"iteration_mean_us", "iteration_max_us", "busbw_gigabytes_s", "rtt_mean_us", "rtt_p99_us", "rtt_max_us", "pauses",
	"cnps", "marks", "drops",
}

// shownAtZero are the metrics whose zero is news.
var shownAtZero = []string{"pauses", "cnps", "marks", "drops"}

// Metrics returns the rows of these names, the usual ones for none.
func Metrics(names []string) (rows []Metric, err error) {
	if len(names) == 0 {
		names = usual
	}
	for _, name := range names {
		m, ok := metric(name)
		if !ok {
			return nil, fmt.Errorf("there is no metric %q: allowed are those that `rocelab metrics` lists", name)
		}
		if slices.ContainsFunc(rows, func(r Metric) bool { return r.Name == name }) {
			return nil, fmt.Errorf("metric %s is given twice", name)
		}
		rows = append(rows, m)
	}
	return rows, nil
}

func metric(name string) (Metric, bool) {
	all := result.Metrics()
	i := slices.IndexFunc(all, func(m result.Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return Metric{all[i], slices.Contains(shownAtZero, name)}, true
}

// MetricNames lists the usual rows.
func MetricNames() string { return strings.Join(usual, ", ") }
