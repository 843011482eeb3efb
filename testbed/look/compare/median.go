package compare

import (
	"math"
	"slices"
)

// Median is the middle one of values, the mean of the two middle ones if
// their number is even; NaN of none.
func Median(values []float64) float64 {
	v := slices.Clone(values)
	slices.Sort(v)
	n := len(v)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}

// Measured leaves out NaN.
func Measured(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}
