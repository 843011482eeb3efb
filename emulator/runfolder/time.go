package runfolder

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/unit"
)

// timeDecimals is how many decimals of a microsecond a picosecond is.
const timeDecimals = 6

// ParseTime reads a time as the files of a run folder have it: microseconds with up to six decimals, from 0 on. The
// result is exact.
func ParseTime(text string) (unit.Time, error) {
	whole, decimals, _ := strings.Cut(text, ".")
	isNumber := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	if whole == "" || len(decimals) > timeDecimals || !isNumber(whole) || !isNumber(decimals) {
		return 0, fmt.Errorf("%q is not a time in microseconds with up to six decimals", text)
	}
	ps, err := strconv.ParseInt(whole+decimals+strings.Repeat("0", timeDecimals-len(decimals)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is a time beyond the longest run", text)
	}
	return unit.Time(ps), nil
}
