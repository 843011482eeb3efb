package unit

import (
	"fmt"
	"strconv"
	"strings"
)

// Length is a distance in whole metres.
type Length int64

// The lengths in which the field speaks.
const (
	Metre     Length = 1
	Kilometre        = 1000 * Metre
)

// String prints l in km where it is a whole number of them, else in m.
func (l Length) String() string {
	if l != 0 && l%Kilometre == 0 {
		return strconv.FormatInt(int64(l/Kilometre), 10) + "km"
	}
	return strconv.FormatInt(int64(l), 10) + "m"
}

// ParseLength reads a number and a unit, m or km: "120km", "1.5 km", "300m". A
// bare 0 needs no unit. What is below a metre is cut off.
func ParseLength(s string) (Length, error) {
	if strings.HasPrefix(strings.TrimSpace(s), "-") {
		return 0, fmt.Errorf("%q is negative: write a length such as %q", s, "120km")
	}
	v, err := parse("length", s, map[string]int64{"m": int64(Metre), "km": int64(Kilometre)}, "m or km", `"120km"`)
	return Length(v), err
}
