package result

import (
	"math"
	"strings"
	"testing"
)

// smallest are usual values that are small, by the metric's name or how it begins or ends; the first match counts.
var smallest = []struct {
	begin, end string
	value      float64
}{
	{"queueing_", "_us", 0.1}, // a full frame at 100 Gb/s; a mean of 10 ns, on a fabric that is almost idle, has two
	{"", "_us", 1},
	{"", "_gbps", 0.1},
	{"", "_gigabytes_s", 0.1},
	{"slowdown_", "", 0.9},
	{"dropped_share", "", 1e-6}, // a link that loses one frame in a million
	{"resent_share", "", 1e-6},
	{"wait_share_", "", 0.01}, // a tier with less is not where frames wait
	{"rtt_sample_swing_mean", "", 0.01},
	{"utilisation", "", 0.01},
	{"jain", "", 0.01}, // 1/n of a hundred flows
}

// A small value keeps three digits with the decimals of its metric, or the metric counts something. Differences are
// judged on values with these decimals: with 0.0001 and 0.0002 for shares near 0.00012 a ratio was 0.5, 1 or 2.
func TestDecimalsKeepThreeDigits(t *testing.T) {
	for _, m := range metrics {
		if m.Decimals == 0 {
			if measured := m.Measure(); measured != nil && !strings.HasSuffix(m.Name, "_bytes") {
				t.Errorf("%s has no decimals, and is no count", m.Name)
			}
			continue
		}
		value := math.NaN()
		for _, s := range smallest {
			if strings.HasPrefix(m.Name, s.begin) && strings.HasSuffix(m.Name, s.end) {
				value = s.value
				break
			}
		}
		if step := math.Pow10(-m.Decimals); !(value/step >= 99.999) {
			t.Errorf("%s has %d decimals: too few for three digits of %v", m.Name, m.Decimals, value)
		}
	}
}
