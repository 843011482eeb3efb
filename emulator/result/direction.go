package result

import "math"

// Direction says which of two values of a metric is the better one.
type Direction uint8

// The directions.
const (
	// None: neither is, as of a count of what was asked for or of signals.
	None Direction = iota
	// Lower: the smaller one, as of a time or a loss.
	Lower
	// Higher: the larger one, as of a rate.
	Higher
)

var directionNames = [...]string{"none", "lower", "higher"}

// String returns the direction as lists spell it.
func (d Direction) String() string { return directionNames[d] }

// Best returns the better one of two values, of which NaN is none; NaN where
// there is no better.
func (d Direction) Best(a, b float64) float64 {
	switch {
	case d == None:
		return math.NaN()
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	case d == Lower:
		return min(a, b)
	}
	return max(a, b)
}
