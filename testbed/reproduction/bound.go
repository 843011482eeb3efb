package reproduction

import (
	"fmt"
	"math"
)

// AtMost holds if the median of a figure is a bound or less.
func AtMost(name string, bound float64) func(Figures) (bool, string) {
	return Between(name, math.Inf(-1), bound)
}

// AtLeast holds if the median of a figure is a bound or more.
func AtLeast(name string, bound float64) func(Figures) (bool, string) {
	return Between(name, bound, math.Inf(1))
}

// Between holds if the median of a figure is in a range, both ends included.
func Between(name string, least, largest float64) func(Figures) (bool, string) {
	return func(f Figures) (bool, string) {
		figure := f.Of(name)
		median := figure.Median()
		return median >= least && median <= largest, figure.withUnit()
	}
}

// Near holds if the median of a figure is as far as a share of a number from it, or nearer.
func Near(name string, number, share float64) func(Figures) (bool, string) {
	return Between(name, number-share*math.Abs(number), number+share*math.Abs(number))
}

func (f Figure) withUnit() string {
	if f.Unit == "" {
		return f.String()
	}
	return fmt.Sprintf("%v %s", f, f.Unit)
}
