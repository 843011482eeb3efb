package contrast

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/statistics"
)

// The bounds of what is told.
const (
	likely     = 0.05
	sure       = 0.01
	leastAlone = 1.1  // factor with one seed
	least      = 1.01 // factor in any case
)

// difference is how a variant differs from another in an aspect.
type difference struct {
	aspect
	Comparison
}

// Comparison is what came of comparing two samples.
type Comparison struct {
	// A and B are the medians, Factor that of A to B: above 1 where A has more.
	A, B, Factor float64
	// P is the Mann-Whitney test's, NaN where there was none.
	P float64
}

// size is the factor, or its inverse where that is larger.
func (c *Comparison) size() float64 { return max(c.Factor, 1/c.Factor) }

// differ compares two samples of an aspect, and reports whether they differ by more than
// chance may.
func (as aspect) differ(a, b []float64) (d difference, tells bool) {
	d = difference{aspect: as}
	d.Comparison, tells = Compare(a, b, as.metric, as.none != "")
	return d, tells
}

// Compare compares two samples of a metric, by seed, and reports whether they differ by more than chance may.
// With four values or more a side the difference must pass a Mann-Whitney test, and the bootstrap interval of
// the ratio must not have 1 in it; with two or three the gap between the ranges must be wider than either; with
// one the factor must be 1.1 or more. A count's 0 is taken for 1 in the factor. NaN is not measured.
func Compare(a, b []float64, metric string, count bool) (c Comparison, tells bool) {
	a, b = statistics.Measured(a), statistics.Measured(b)
	c = Comparison{A: statistics.Median(a), B: statistics.Median(b), Factor: math.NaN(), P: math.NaN()}
	if len(a) == 0 || len(b) == 0 {
		return c, false
	}
	c.Factor = c.A / c.B
	if count { // none is as good as one
		c.Factor = max(c.A, 1) / max(c.B, 1)
	}
	if math.IsNaN(c.Factor) || math.IsInf(c.Factor, 0) || c.Factor == 0 || c.size() < least {
		return c, false
	}
	switch n, m := len(a), len(b); {
	case n == 1 && m == 1:
		return c, c.size() >= leastAlone
	case n == 1 || m == 1:
		return c, false // one of them was interrupted
	case statistics.LeastP(n, m) >= likely:
		gap := max(slices.Min(a)-slices.Max(b), slices.Min(b)-slices.Max(a))
		return c, gap > max(slices.Max(a)-slices.Min(a), slices.Max(b)-slices.Min(b))
	}
	c.P = statistics.MannWhitney(a, b).P
	interval := statistics.Bootstrap(b, a, "contrast/"+metric)
	hasOne := interval.Low <= 1 && interval.High >= 1 // false of an interval that is none
	return c, c.P < likely && !hasOne
}
