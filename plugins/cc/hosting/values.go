package hosting

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc"
)

// ReadValues asks a sender for its values. One that has none gives NaN.
func ReadValues(sender cc.Sender, into []float64) {
	for i := range into {
		into[i] = math.NaN()
	}
	if valued, ok := sender.(cc.Valued); ok {
		valued.Values(into)
	}
}

var (
	valueName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	// takenNames are columns of the files that have values.
	takenNames = []string{"variant", "seed", "time_us", "flow", "name", "unit", "value"}
)

// longest bounds the name and the unit of a value, and its documentation, in bytes.
const (
	longestName = 64
	longestUnit = 16
	longestDoc  = 1000
)

// CheckValues returns the fault of the values of a description, and nil for none.
func CheckValues(d *cc.Description) error {
	if len(d.Values) > cc.MostValues {
		return fmt.Errorf("%d values, allowed are %d", len(d.Values), cc.MostValues)
	}
	for i, value := range d.Values {
		switch {
		case len(value.Name) > longestName || !valueName.MatchString(value.Name):
			return fmt.Errorf("a value called %.60q: allowed is snake_case of up to %d letters", value.Name, longestName)
		case slices.Contains(takenNames, value.Name):
			return fmt.Errorf("a value called %s: that is a column; taken are %s", value.Name, strings.Join(takenNames, ", "))
		case slices.ContainsFunc(d.Values[:i], func(other cc.Value) bool { return other.Name == value.Name }):
			return fmt.Errorf("the value %s twice", value.Name)
		case len(value.Unit) > longestUnit || strings.ContainsFunc(value.Unit, unprintable):
			return fmt.Errorf("the value %s in %.20q: allowed are units of up to %d bytes, ASCII", value.Name, value.Unit,
				longestUnit)
		case len(value.Doc) > longestDoc:
			return fmt.Errorf("the value %s with %d B of documentation, allowed are %d", value.Name, len(value.Doc), longestDoc)
		}
	}
	return nil
}

// unprintable reports whether a rune may not be in a unit: a cell of a CSV file holds it as it is.
func unprintable(r rune) bool { return r <= ' ' || r > '~' || r == ',' || r == '"' }
