package page

import (
	"fmt"
	"math"
)

// percentLimit is the share beyond which a factor is clearer than per cents.
const percentLimit = 10

// Percent prints a share in per cent with three significant digits, and one
// beyond 1000 % as a factor: 0.125 is "12.5 %", 3350 is "x 3350".
func Percent(share float64) string {
	if math.Abs(share) > percentLimit {
		return factor(share)
	}
	return fmt.Sprintf("%s %%", threeDigits(share*100))
}

// Change prints how far a value is from another, as a part of that, with its
// sign, and beyond 1000 % the factor between the two: 0.125 is "+12.5 %", 33 is
// "x 34.0".
func Change(share float64) string {
	if math.Abs(share) > percentLimit {
		return factor(share + 1)
	}
	return fmt.Sprintf("%+.1f %%", share*100)
}

func factor(v float64) string {
	if math.Abs(v) < 100 {
		return fmt.Sprintf("x %.1f", v)
	}
	return fmt.Sprintf("x %.0f", v)
}

// threeDigits prints a number with three significant digits and no exponent.
func threeDigits(v float64) string {
	if math.Abs(v) >= 100 || v == math.Trunc(v) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
