package unit

import "math"

// Whole returns x without its fraction, as the conversion T(x) does where x fits an
// int64. Beyond that Go leaves open what a conversion gives, and processors differ:
// here the greatest value comes for what is too large, the least for what is too small
// and for NaN, on every processor. Nothing else in models and emulator may make an
// integer of a float that is not constant.
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
