package runfolder

import (
	"fmt"
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// timeDecimals is the number of decimals of a microsecond that reach a picosecond.
const timeDecimals = 6

// ParseTime reads a time as the files of a run folder have it: microseconds with up to six decimals, from 0 on. The
// result is exact.
func ParseTime(text string) (unit.Time, error) {
	ps, digits, decimals, point := int64(0), 0, 0, false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '.' && !point && digits > 0:
			point = true
			continue
		case c < '0' || c > '9' || decimals == timeDecimals:
			return 0, errTime(text)
		}
		digit := int64(c - '0')
		if ps > (math.MaxInt64-digit)/10 {
			return 0, errLongTime(text)
		}
		ps = 10*ps + digit
		digits++
		if point {
			decimals++
		}
	}
	if digits == 0 {
		return 0, errTime(text)
	}
	for ; decimals < timeDecimals; decimals++ {
		if ps > math.MaxInt64/10 {
			return 0, errLongTime(text)
		}
		ps *= 10
	}
	return unit.Time(ps), nil
}

func errTime(text string) error {
	return fmt.Errorf("%q is not a time in microseconds with up to six decimals", text)
}

func errLongTime(text string) error { return fmt.Errorf("%q is a time beyond the longest run", text) }
