package comparison

import (
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/experiment"
)

// usual are the default rows of a comparison, in their order.
var usual = []string{
	"fct_mean_us", "fct_p99_us", "slowdown_p50", "slowdown_p99", "queueing_mean_us", "queueing_p99_us", "goodput_gbps",
	"resent_share", "dropped_share", "flow_rate_gbps", "jain",
	"iteration_mean_us", "iteration_max_us", "busbw_gigabytes_s", "rtt_mean_us", "rtt_p99_us", "rtt_max_us", "pauses",
	"cnps", "marks", "drops",
}

// Metrics returns the rows of these names; for none the usual ones, or all that
// tables have.
func Metrics(names []string, all bool) ([]result.Metric, error) {
	switch {
	case len(names) > 0:
		return experiment.Metrics(names)
	case all:
		return experiment.TableMetrics(), nil
	}
	return experiment.Metrics(usual)
}

// MetricNames lists the usual rows.
func MetricNames() string { return strings.Join(usual, ", ") }
