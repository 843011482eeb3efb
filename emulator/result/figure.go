package result

import (
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// measures are the units of metrics, by the end of their names.
var measures = []struct {
	suffix string
	in     unit.Measure
}{
	{"_us", unit.InMicroseconds},
	{"_gbps", unit.InGbps},
	{"_gigabytes_s", unit.InGigabytesASecond},
	{"_bytes", unit.InBytes},
}

// MeasureOf returns the unit of a column or metric of that name, nil for a count or a ratio.
func MeasureOf(name string) unit.Measure {
	for _, m := range measures {
		if strings.HasSuffix(name, m.suffix) {
			return m.in
		}
	}
	return nil
}

// Measure returns the unit of the metric, nil for a count or a ratio.
func (m Metric) Measure() unit.Measure { return MeasureOf(m.Name) }

// Scale is the unit that fits a value of the metric, without a name for a count or a ratio.
func (m Metric) Scale(value float64) unit.Scale { return m.Measure().Of(value) }

// In prints values of the metric for people, in a unit whose name it leaves out: with four significant digits, a count
// whole.
func (m Metric) In(scale unit.Scale, values ...float64) (texts []string) {
	if m.Decimals > 0 || m.Measure() != nil {
		return scale.Figures(values...)
	}
	for _, value := range values {
		texts = append(texts, m.Format(value))
	}
	return texts
}

// Figure prints a value of the metric for people, in the unit that fits it; "" if not measured.
func (m Metric) Figure(value float64) string {
	scale := m.Scale(value)
	return scale.Text(m.In(scale, value)[0])
}
