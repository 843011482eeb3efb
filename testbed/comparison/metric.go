package comparison

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Metric is a row of a comparison.
type Metric struct {
	// Name carries the unit; Doc says what it is.
	Name, Doc string
	// Decimals is how many are printed.
	Decimals int
	// always says that the row is shown even if it is zero everywhere.
	always bool

	of func(*Run) float64
}

// Of returns the metric's value, NaN if it was not measured.
func (m Metric) Of(r *Run) float64 { return m.of(r) }

// Format prints a value.
func (m Metric) Format(v float64) string { return strconv.FormatFloat(v, 'f', m.Decimals, 64) }

// usual are the rows of a comparison for which none were chosen, in their
// order.
var usual = []string{
	"fct_mean_us", "fct_p99_us", "slowdown_p50", "slowdown_p99", "queueing_mean_us", "queueing_p99_us", "goodput_gbps", flowRate, "jain",
	"rtt_mean_us", "rtt_p99_us", "rtt_max_us", "pauses", "cnps", "marks", "drops",
}

// shownAtZero are the metrics whose zero is news.
var shownAtZero = []string{"pauses", "cnps", "marks", "drops"}

const flowRate = "flow_rate_gbps"

// flowRateMetric is the mean rate of the LSTM+PIDNN thesis (section 4): unlike
// goodput it rewards whoever lets small flows finish first.
var flowRateMetric = Metric{
	Name: flowRate, Decimals: 3,
	Doc: "Sum of the flows' sizes over the sum of their completion times; not measured unless every flow has a size and completed.",
	of:  func(r *Run) float64 { return r.FlowRate },
}

// flowRateOf is in Gb/s:
//
//	RATE_mean = sum sizes / sum FCT
func flowRateOf(o *result.Outcome) float64 {
	bits, seconds := 0.0, 0.0
	for i := range o.Flows {
		size, s := o.Plan.Flows[i].Size, &o.Flows[i].Sender
		if size == 0 || s.Completed > o.End {
			return nan
		}
		bits += float64(8 * size)
		seconds += s.Completed.Sub(s.Started).Seconds()
	}
	return bits / seconds / 1e9
}

// Metrics returns the rows of these names, the usual ones for none.
func Metrics(names []string) (rows []Metric, err error) {
	if len(names) == 0 {
		names = usual
	}
	for _, name := range names {
		m, ok := metric(name)
		if !ok {
			return nil, fmt.Errorf("there is no metric %q: allowed are %s and those that `rocelab metrics` lists", name, flowRate)
		}
		if slices.ContainsFunc(rows, func(r Metric) bool { return r.Name == name }) {
			return nil, fmt.Errorf("metric %s is given twice", name)
		}
		rows = append(rows, m)
	}
	return rows, nil
}

func metric(name string) (Metric, bool) {
	if name == flowRate {
		return flowRateMetric, true
	}
	all := result.Metrics()
	i := slices.IndexFunc(all, func(m result.Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return Metric{Name: name, Doc: all[i].Doc, Decimals: all[i].Decimals, always: slices.Contains(shownAtZero, name),
		of: func(r *Run) float64 { return all[i].Of(r.Summary) }}, true
}

// MetricNames lists the usual rows.
func MetricNames() string { return strings.Join(usual, ", ") }
