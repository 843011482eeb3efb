package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
)

// Certainty is the degree of certainty that more than chance is behind a difference.
type Certainty int

// Chance may be behind it; Apart are few seeds whose ranges are far apart, or one seed with a factor of 1.1;
// Likely and Sure are a Mann-Whitney p below LikelyP and SureP with an interval without 1.
const (
	Chance Certainty = iota
	Apart
	Likely
	Sure
)

// LikelyP and SureP are the p below which a difference is likely, and sure.
const (
	LikelyP = 0.05
	SureP   = 0.01
)

// leastOfOne is the factor from which on runs of one seed differ.
const leastOfOne = 1.1

// String is the word of tables.
func (c Certainty) String() string { return [...]string{"unclear", "apart", "likely", "sure"}[c] }

// Difference is the difference of the runs B from the runs A in a metric.
type Difference struct {
	Metric result.Metric
	// A and B are the medians of the measured values, in the metric's unit, NaN if there are none.
	A, B float64
	// Ratio is B / A, NaN if A is 0 or one is not measured. Interval is its bootstrap interval.
	Ratio    float64
	Interval Interval
	// Test is the Mann-Whitney test's; its P is NaN if a side has no value.
	Test test
	// Tested reports whether both sides have values enough for the test to find a difference.
	Tested bool
	// Same reports whether all values of both sides are one.
	Same bool
	// Certainty is the certainty that more than chance is behind it.
	Certainty Certainty
}

// Between compares the values a and b of a metric, by seed; NaN is not measured. Values are taken with the metric's
// decimals, as summary.json has them. Equal values give equal figures at every call, from whichever command.
func Between(a, b []float64, m result.Metric) Difference {
	a, b = recorded(a, m), recorded(b, m)
	d := Difference{
		Metric:   m,
		A:        Median(a),
		B:        Median(b),
		Ratio:    math.NaN(),
		Interval: bootstrap(a, b, "difference/"+m.Name),
		Test:     mannWhitney(a, b),
		Tested:   LeastP(len(a), len(b)) < LikelyP,
	}
	if len(a) == 0 || len(b) == 0 {
		d.Tested = false
		return d
	}
	if d.A != 0 {
		d.Ratio = d.B / d.A
	}
	leastA, mostA, leastB, mostB := slices.Min(a), slices.Max(a), slices.Min(b), slices.Max(b)
	d.Same = leastA == mostB && mostA == leastB
	gap := max(leastA-mostB, leastB-mostA)
	switch n, m := len(a), len(b); {
	case d.Same:
	case d.Tested:
		hasOne := d.Interval.Low <= 1 && d.Interval.High >= 1 // false of an interval that is none
		if d.Test.P < SureP && !hasOne {
			d.Certainty = Sure
		} else if d.Test.P < LikelyP && !hasOne {
			d.Certainty = Likely
		}
	case n == 1 && m == 1 && d.size() >= leastOfOne,
		n > 1 && m > 1 && gap > max(mostA-leastA, mostB-leastB):
		d.Certainty = Apart
	}
	return d
}

// recorded are the values that were measured, as summary.json has them.
func recorded(values []float64, m result.Metric) (list []float64) {
	for _, value := range Measured(values) {
		list = append(list, m.Rounded(value))
	}
	return list
}

// Tells reports whether more than chance is behind the difference.
func (d *Difference) Tells() bool { return d.Certainty > Chance }

// factor returns the ratio; for counts 0 is taken as 1, since losing no frame is as good as losing one. It is infinite
// or NaN if another median is 0 or not measured.
func (d *Difference) factor() float64 {
	if d.Metric.Decimals == 0 {
		return max(d.B, 1) / max(d.A, 1)
	}
	return d.B / d.A
}

// size is the factor, or its inverse if that is larger; NaN without one.
func (d *Difference) size() float64 { return max(d.factor(), 1/d.factor()) }

// RatioText prints a ratio of medians, or an end of its interval, with three or four significant digits: 0.0123,
// 0.123, 1.234, 12.34, 123.4, 1234; "-" for none.
func RatioText(ratio float64) string {
	switch {
	case math.IsNaN(ratio):
		return "-"
	case ratio >= 1e6, ratio > 0 && ratio < 0.1:
		return fmt.Sprintf("%.3g", ratio)
	case ratio >= 1000:
		return fmt.Sprintf("%.0f", ratio)
	case ratio >= 100:
		return fmt.Sprintf("%.1f", ratio)
	case ratio >= 10:
		return fmt.Sprintf("%.2f", ratio)
	}
	return fmt.Sprintf("%.3f", ratio)
}

// String is the interval in brackets, "" for none.
func (i Interval) String() string {
	if math.IsNaN(i.Low) {
		return ""
	}
	return fmt.Sprintf("[%s..%s]", RatioText(i.Low), RatioText(i.High))
}
