package cc

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// MostValues is how many values an algorithm may name.
const MostValues = 8

// Value is a quantity of an algorithm's own that helps to see why a flow did what it did, such as
// the alpha of DCQCN. It is recorded and read by nothing that decides.
type Value struct {
	// Name is snake_case: lower case, digits and underscores.
	Name string
	// Unit is what the number counts, "Gb/s" or "us"; "" for a number without one.
	Unit string
	// Doc says in a line what the value is.
	Doc string
}

// Valued is a Sender with the values that its algorithm's Description names.
type Valued interface {
	Sender
	// Values puts the values into a slice of that length, in the order of the description, as the
	// last event left them. NaN says that there is none now; what is infinite counts as none. It is
	// called between events, as often as the host likes, and must change nothing.
	Values(into []float64)
}

// ReadValues asks a sender for its values. One that has none gives NaN.
func ReadValues(sender Sender, into []float64) {
	for i := range into {
		into[i] = math.NaN()
	}
	if valued, ok := sender.(Valued); ok {
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

// CheckValues returns what is wrong with the values of a description, and nil for nothing.
func (d *Description) CheckValues() error {
	if len(d.Values) > MostValues {
		return fmt.Errorf("%d values, allowed are %d", len(d.Values), MostValues)
	}
	for i, value := range d.Values {
		switch {
		case len(value.Name) > longestName || !valueName.MatchString(value.Name):
			return fmt.Errorf("a value called %.60q: allowed is snake_case of up to %d letters", value.Name, longestName)
		case slices.Contains(takenNames, value.Name):
			return fmt.Errorf("a value called %s: that is a column; taken are %s", value.Name, strings.Join(takenNames, ", "))
		case slices.ContainsFunc(d.Values[:i], func(other Value) bool { return other.Name == value.Name }):
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
