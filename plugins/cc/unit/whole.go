package unit

import "math"

// Whole returns x without its fraction, as the conversion T(x) does if x fits an int64. For other values Go leaves the
// result of a conversion open, and processors differ: here too large a value becomes the greatest int64, and too small
// a value or NaN the least, on every processor. Models and emulator must not make an integer of a float that is not
// constant in any other way.
func Whole[T ~int | ~int64](x float64) T {
	if x >= -1<<63 && x < 1<<63 {
		return T(x)
	}
	if x > 0 {
		return T(most)
	}
	return T(least)
}

const (
	most  int64 = math.MaxInt64
	least int64 = math.MinInt64
)
