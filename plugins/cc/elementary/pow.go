package elementary

import "math"

// Sqrt returns the square root of x, correctly rounded. Sqrt(x < 0) = NaN.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Pow returns x^y = e^(y ln x), with ln x and the product carried as sums of two
// numbers. Special cases are math.Pow's, which are C99's, annex F:
// Pow(x, 0) = Pow(1, y) = 1 for any x and y, NaN for a negative finite x and a y
// that is not whole.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case x == 0 || x-x != 0 || y-y != 0:
		return powLimit(x, y)
	}
	sign := 1.0
	if x < 0 {
		if math.Floor(y) != y {
			return math.NaN()
		}
		if odd(y) {
			sign = -1
		}
		x = -x
	}
	hi, lo := logSum(x)
	p := hi * y
	switch {
	case p > 800:
		return sign * math.Inf(1)
	case p < -800:
		return sign * 0
	case math.Abs(p) < 0x1p-60:
		return sign
	}
	p, low := product(hi, y)
	return sign * expSum(p, low+float64(lo*y))
}

// powLimit is Pow where x is 0 or infinite or y is infinite.
func powLimit(x, y float64) float64 {
	if y-y != 0 { // infinite
		switch a := math.Abs(x); {
		case a == 1:
			return 1
		case (a > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	}
	var limit float64 // of |x|^y
	if (x == 0) == (y < 0) {
		limit = math.Inf(1)
	}
	if odd(y) && (x < 0 || 1/x < 0) { // -0 too
		return -limit
	}
	return limit
}

// odd reports whether y is an odd whole number. Beyond 2^53 all are even.
func odd(y float64) bool {
	y = math.Abs(y)
	return y < 1<<53 && math.Floor(y) == y && int64(y)&1 == 1
}
