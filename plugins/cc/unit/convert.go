package unit

import (
	"math"
	"math/bits"
)

// mulDiv returns floor(a x b / c) with a 128-bit product; c must be positive
// and b not negative. A quotient that leaves an int64 saturates.
func mulDiv(a, b, c int64) int64 {
	if a < 0 {
		return -mulDivCeil(-a, b, c)
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	if q > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(q)
}

// mulDivCeil returns ceil(a x b / c) for a and b not negative and c positive.
func mulDivCeil(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, r := bits.Div64(hi, lo, uint64(c))
	if r != 0 {
		q++
	}
	if q > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(q)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

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
