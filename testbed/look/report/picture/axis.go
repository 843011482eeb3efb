package picture

import (
	"math"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// scale maps values to pixels.
type scale struct {
	// from and to are the values at the pixels start and end.
	from, to   float64
	start, end float64
	log        bool
}

// at is a value's pixel; a value beyond the ends is at the end.
func (s scale) at(value float64) float64 {
	from, to := s.from, s.to
	if s.log {
		value, from, to = math.Log(math.Max(value, from)), math.Log(from), math.Log(to)
	}
	share := 0.5
	if to > from {
		share = math.Min(math.Max((value-from)/(to-from), 0), 1)
	}
	return s.start + share*(s.end-s.start)
}

// steps are about count round numbers from..to: their distance is 1, 2 or 5 times a power of
// ten.
func steps(from, to float64, count int) (list []float64) {
	if !(to > from) || math.IsInf(to-from, 0) {
		return []float64{from}
	}
	power := math.Pow(10, math.Floor(math.Log10((to-from)/float64(count))))
	step := 10 * power
	for _, factor := range []float64{1, 2, 5} {
		if factor*power*float64(count) >= (to-from)*0.999 {
			step = factor * power
			break
		}
	}
	for i := math.Ceil(from/step - 1e-9); i*step <= to+step*1e-9; i++ {
		list = append(list, i*step+0) // 0 and never -0
	}
	return list
}

// decades are round numbers from..to for a log scale: of many decades the powers of ten, of
// a few 1, 2 and 5 times these, within one decade even steps.
func decades(from, to float64) (list []float64) {
	span := math.Log10(to / from)
	if !(span > 0) || math.IsInf(span, 0) {
		return []float64{from}
	}
	if span < 0.7 {
		return steps(from, to, 5)
	}
	factors := []float64{1, 2, 5}
	if span > 2.5 {
		factors = factors[:1]
	}
	every := unit.Whole[int](math.Max(1, math.Ceil(span/8)))
	for exponent := unit.Whole[int](math.Floor(math.Log10(from))); math.Pow10(exponent) <= to*1.000001; exponent++ {
		if every > 1 && exponent%every != 0 {
			continue
		}
		for _, factor := range factors {
			if value := factor * math.Pow10(exponent); value >= from*0.999999 && value <= to*1.000001 {
				list = append(list, value)
			}
		}
	}
	return list
}

// plain writes a round number.
func plain(value float64) string {
	return strconv.FormatFloat(value, 'g', 6, 64)
}

// Prefixed writes a number with a unit that has thousands: 1.5 KB, 20 MB.
func Prefixed(value float64, unit string) string {
	prefix := ""
	for _, next := range []string{"K", "M", "G", "T", "P"} {
		if math.Abs(value) < 1000 {
			break
		}
		value, prefix = value/1000, next
	}
	return strconv.FormatFloat(value, 'g', 4, 64) + " " + prefix + unit
}

// timeUnit returns the divisor and the unit for times up to the given microseconds.
func timeUnit(most float64) (float64, string) {
	switch {
	case most >= 2e6:
		return 1e6, "s"
	case most >= 2e3:
		return 1e3, "ms"
	}
	return 1, "us"
}
