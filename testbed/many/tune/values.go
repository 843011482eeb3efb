package tune

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/elementary"
)

var (
	assignment = regexp.MustCompile(`^([^=\s]+)=(.+)$`)
	quantity   = regexp.MustCompile(`^\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*([A-Za-zµμ/]*)\s*$`)
)

// ParseAxis reads a key and the values to try: KEY=V,V,... or KEY=LOW..HIGH, which is steps values from one to the
// other, each the same factor above the last.
func ParseAxis(text string, steps int) (Axis, error) {
	parts := assignment.FindStringSubmatch(text)
	if parts == nil {
		return Axis{}, fmt.Errorf("%q is not a key with values: write KEY=VALUE,VALUE or KEY=LOW..HIGH, such as "+
			"switch.ecn.kmin=50KB..1MB", text)
	}
	axis := Axis{Path: parts[1]}
	if low, high, ok := strings.Cut(parts[2], ".."); ok {
		values, err := span(low, high, steps)
		if err != nil {
			return Axis{}, fmt.Errorf("%s: %w", axis.Path, err)
		}
		axis.Values = values
		return axis, nil
	}
	for _, value := range strings.Split(parts[2], ",") {
		if value = strings.TrimSpace(value); value == "" {
			return Axis{}, fmt.Errorf("%s: a value is missing between commas", axis.Path)
		}
		axis.Values = append(axis.Values, value)
	}
	return axis, nil
}

// span returns values from low to high, of one unit, in steps of one factor.
func span(low, high string, steps int) ([]string, error) {
	a, b := quantity.FindStringSubmatch(low), quantity.FindStringSubmatch(high)
	if a == nil || b == nil || a[2] != b[2] && a[2] != "" {
		return nil, fmt.Errorf("%s..%s: write two numbers of one unit, such as 50KB..1000KB", low, high)
	}
	from, err := strconv.ParseFloat(a[1], 64)
	to, err2 := strconv.ParseFloat(b[1], 64)
	if err != nil || err2 != nil || !(from > 0) || !(to > from) {
		return nil, fmt.Errorf("%s..%s: allowed is a low end above 0 and a high end above that", low, high)
	}
	if steps < 2 {
		return nil, fmt.Errorf("%d steps: allowed are 2 and above", steps)
	}
	var values []string
	for i := range steps {
		v := from * elementary.Pow(to/from, float64(i)/float64(steps-1))
		values = append(values, strconv.FormatFloat(v, 'g', 4, 64)+b[2])
	}
	return values, nil
}
