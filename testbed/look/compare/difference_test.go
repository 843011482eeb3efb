package compare

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

func metric(t *testing.T, name string) result.Metric {
	t.Helper()
	m, known := result.MetricOf(name)
	if !known {
		t.Fatalf("there is no metric %s", name)
	}
	return m
}

// Certainty by seeds and their spread. Tier: -short, as all of this file. The interval of the case before the last has
// 1 in it though its p is below 0.05.
func TestCertainty(t *testing.T) {
	for _, c := range []struct {
		metric string
		a, b   []float64
		want   Certainty
		same   bool
	}{
		{"duration_us", []float64{100}, []float64{109}, Chance, false},
		{"duration_us", []float64{100}, []float64{110}, Apart, false},
		{"duration_us", []float64{110}, []float64{100}, Apart, false},
		{"duration_us", []float64{100}, []float64{100}, Chance, true},
		{"duration_us", []float64{0}, []float64{5}, Apart, false},
		{"duration_us", []float64{1}, []float64{9, 10, 11}, Chance, false},
		{"duration_us", nil, []float64{9, 10, 11}, Chance, false},
		{"duration_us", []float64{math.NaN()}, []float64{9}, Chance, false},
		{"duration_us", []float64{100, 110}, []float64{112, 130}, Chance, false},
		{"duration_us", []float64{100, 110}, []float64{121, 130}, Apart, false},
		{"duration_us", []float64{1, 2, 3, 4}, []float64{10, 11, 12, 13}, Likely, false},
		{"duration_us", []float64{1, 2, 3, 4, 5}, []float64{10, 11, 12, 13, 14}, Sure, false},
		{"duration_us", []float64{2, 2, 5, 5, 4}, []float64{7, 8, 9, 7, 3}, Chance, false},
		{"drops", []float64{0}, []float64{1}, Chance, false}, // to lose no frame is as good as to lose one
		{"drops", []float64{0}, []float64{2}, Apart, false},
	} {
		d := Between(c.a, c.b, metric(t, c.metric))
		if d.Certainty != c.want || d.Same != c.same || d.Tells() != (c.want != Chance) {
			t.Errorf("%s of %v and %v: %v, same %t; want %v, %t", c.metric, c.a, c.b, d.Certainty, d.Same, c.want, c.same)
		}
	}
}

// Values count with the decimals of summary.json: a run compares the same from memory and from its folder.
func TestDifferenceIsOfRecordedValues(t *testing.T) {
	m := metric(t, "queueing_mean_us")
	exact := Between([]float64{1.00049, 2.00049, 3.0004}, []float64{21.4691, 43.0004, 64.0001}, m)
	var folders [2][]float64
	for i, values := range [][]float64{{1.00049, 2.00049, 3.0004}, {21.4691, 43.0004, 64.0001}} {
		for _, v := range values {
			folders[i] = append(folders[i], m.Rounded(v))
		}
	}
	recorded := Between(folders[0], folders[1], m)
	if exact.Interval != recorded.Interval || exact.Ratio != recorded.Ratio || exact.A != 2 || exact.Ratio != 21.5 {
		t.Errorf("%v %v of exact values, %v %v of recorded ones", exact.Ratio, exact.Interval, recorded.Ratio,
			recorded.Interval)
	}
}

// Shares near 1e-4, of a fabric that loses few frames, have their ratio, and not that of the steps of their decimals.
func TestSmallSharesKeepTheirRatio(t *testing.T) {
	for _, name := range []string{"dropped_share", "resent_share"} {
		t.Run(name, func(t *testing.T) {
			m := metric(t, name)
			a := []float64{0.000121, 0.000149, 0.000098, 0.000131, 0.000118, 0.000160}
			b := []float64{0.000112, 0.000151, 0.000101, 0.000142, 0.000109, 0.000138}
			d := Between(a, b, m)
			if math.Abs(d.A-0.000126) > 1e-9 || math.Abs(d.Ratio-0.000125/0.000126) > 1e-6 || d.Same || d.Test.P == 1 ||
				d.Interval.Low == 0.5 || d.Interval.High == 2 {
				t.Errorf("%s: medians %v and %v, ratio %v %v, p %v", name, d.A, d.B, d.Ratio, d.Interval, d.Test.P)
			}
		})
	}
}

// A ratio of any size has three digits or more.
func TestRatioText(t *testing.T) {
	for ratio, want := range map[float64]string{
		math.NaN(): "-", 0: "0.000", 0.00142: "0.00142", 0.123: "0.123", 1: "1.000", 12.34: "12.34",
		123.42: "123.4", 1234.6: "1235",
		2.5e7: "2.5e+07",
	} {
		t.Run(fmt.Sprintf("ratio=%v", ratio), func(t *testing.T) {
			if got := RatioText(ratio); got != want {
				t.Errorf("%g is %q, want %q", ratio, got, want)
			}
		})
	}
}
