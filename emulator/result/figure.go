package result

import (
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/unit"
)

// measures are what a metric is measured in, by the end of its name.
var measures = []struct {
	suffix string
	in     unit.Measure
}{
	{"_us", unit.InMicroseconds},
	{"_gbps", unit.InGbps},
	{"_gigabytes_s", unit.InGigabytesASecond},
	{"_bytes", unit.InBytes},
}

// MeasureOf is what a column or metric of that name is measured in, nil for a count or a ratio.
func MeasureOf(name string) unit.Measure {
	for _, m := range measures {
		if strings.HasSuffix(name, m.suffix) {
			return m.in
		}
	}
	return nil
}

// Measure is what the metric is measured in, nil for a count or a ratio.
func (m Metric) Measure() unit.Measure { return MeasureOf(m.Name) }

// Scale is the unit that fits a value of the metric, without a name for a count or a ratio.
func (m Metric) Scale(value float64) unit.Scale { return m.Measure().Of(value) }

// In prints a value of the metric for people, in a unit whose name it leaves out: with four significant digits, a count
// whole.
func (m Metric) In(scale unit.Scale, value float64) string {
	if m.Decimals == 0 && m.Measure() == nil {
		return m.Format(value)
	}
	return scale.Figure(value)
}

// Figure prints a value of the metric for people, in the unit that fits it; "" if not measured.
func (m Metric) Figure(value float64) string {
	scale := m.Scale(value)
	return scale.Text(m.In(scale, value))
}

// Edge is which side of a value the true one is, if the value is the edge of a bin of a histogram.
type Edge string

// Exact is no edge; the true value is AtMost or AtLeast what is printed.
const (
	Exact   Edge = ""
	AtMost  Edge = "\u2264"
	AtLeast Edge = "\u2265"
)

// Text prints a value of the metric for people, with the sign of the edge that it is.
func (e Edge) Text(m Metric, value float64) string {
	return strings.TrimSpace(string(e) + " " + m.Figure(value))
}

// binned begins the names of metrics whose quantiles are the upper edge of a bin.
var binned = []string{"rtt", "rtt_sample", "queueing"}

// EdgeOf is which edge of a bin a metric's value is; of gives the metrics of the same run by name, as Summary.Value
// does. The quantiles of RTTs and waits are upper edges, unless they are the largest that was measured; those of queues
// are lower ones.
func (m Metric) EdgeOf(of func(metric string) (value float64, known bool)) Edge {
	value, _ := of(m.Name)
	if math.IsNaN(value) || value == 0 {
		return Exact
	}
	base, isQuantile := strings.CutSuffix(m.Name, "_p99_us")
	if !isQuantile {
		base, isQuantile = strings.CutSuffix(m.Name, "_p50_us")
	}
	switch {
	case m.Name == "queue_p50_bytes" || m.Name == "queue_p99_bytes":
		return AtLeast
	case !isQuantile || !slices.Contains(binned, base):
		return Exact
	}
	if largest, known := of(base + "_max_us"); known && value >= largest {
		return Exact
	}
	return AtMost
}
