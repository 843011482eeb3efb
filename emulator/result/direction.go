package result

import "math"

// Direction is the better direction of a metric's values.
type Direction uint8

// The directions.
const (
	// None: neither is better, as for a count of requests or of signals.
	None Direction = iota
	// Lower: the smaller one, as of a time or a loss.
	Lower
	// Higher: the larger one, as of a rate.
	Higher
)

var directionNames = [...]string{"none", "lower", "higher"}

// String returns the direction as lists spell it.
func (d Direction) String() string { return directionNames[d] }

// Best returns the better one of two values, ignoring NaN; NaN if neither direction is better.
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
