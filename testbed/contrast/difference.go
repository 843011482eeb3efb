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
	// a and b are the medians, factor that of a to b: above 1 where a has more.
	a, b, factor float64
	// p is the test's, NaN where there was none.
	p float64
}

// size is the factor, or its inverse where that is larger.
func (d *difference) size() float64 { return max(d.factor, 1/d.factor) }

// differ compares two samples of an aspect, and reports whether they differ by more than
// chance may.
func (as aspect) differ(a, b []float64) (d difference, tells bool) {
	a, b = statistics.Measured(a), statistics.Measured(b)
	d = difference{aspect: as, a: statistics.Median(a), b: statistics.Median(b), p: math.NaN()}
	if len(a) == 0 || len(b) == 0 {
		return d, false
	}
	d.factor = d.a / d.b
	if as.none != "" { // a count: none is as good as one
		d.factor = max(d.a, 1) / max(d.b, 1)
	}
	if math.IsNaN(d.factor) || math.IsInf(d.factor, 0) || d.factor == 0 || d.size() < least {
		return d, false
	}
	switch n, m := len(a), len(b); {
	case n == 1 && m == 1:
		return d, d.size() >= leastAlone
	case n == 1 || m == 1:
		return d, false // one of them was interrupted
	case statistics.LeastP(n, m) >= likely:
		gap := max(slices.Min(a)-slices.Max(b), slices.Min(b)-slices.Max(a))
		return d, gap > max(slices.Max(a)-slices.Min(a), slices.Max(b)-slices.Min(b))
	}
	d.p = statistics.MannWhitney(a, b).P
	interval := statistics.Bootstrap(b, a, "contrast/"+as.metric)
	hasOne := interval.Low <= 1 && interval.High >= 1 // false of an interval that is none
	return d, d.p < likely && !hasOne
}
