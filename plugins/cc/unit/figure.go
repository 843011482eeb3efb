package unit

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Figure prints a number for people, with four significant digits, so that figures in a column line up: 22.53, 22.50,
// 0.9997, 17633. One that is whole has no decimals: 22. None has an exponent. It is "" for NaN.
func Figure(value float64) string {
	return Figures(value)[0]
}

// Figures prints numbers that belong together, such as the ends of a range: whole ones have no decimals if all are
// whole.
func Figures(values ...float64) (texts []string) {
	whole := !slices.ContainsFunc(values, func(v float64) bool { return !isWhole(v) })
	for _, value := range values {
		switch {
		case math.IsNaN(value):
			texts = append(texts, "")
		case math.IsInf(value, 0):
			texts = append(texts, strconv.FormatFloat(value, 'g', -1, 64))
		case whole || value == 0:
			texts = append(texts, strconv.FormatFloat(math.Round(value)+0, 'f', 0, 64))
		default:
			_, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', significant-1, 64), "e")
			size, _ := strconv.Atoi(exponent)
			texts = append(texts, strconv.FormatFloat(value, 'f', max(0, significant-1-size), 64))
		}
	}
	return texts
}

// isWhole reports whether a number is whole, except for the error of converting its unit.
func isWhole(value float64) bool {
	whole := math.Round(value)
	return math.IsNaN(value) || value == 0 || whole != 0 && math.Abs(value-whole) <= 1e-12*math.Abs(whole)
}

// significant is the number of digits in figures for people.
const significant = 4

// Measure lists the units of one quantity, from the smallest on.
type Measure []step

// step is a unit and how many of the base unit, which programs have, are in it.
type step struct {
	name string
	size float64
}

// Measures of figures whose base unit, in which programs have them, is the microsecond, the byte, 1 Gb/s and 1 GB/s.
var (
	InMicroseconds     = Measure{{"ps", 1e-6}, {"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}}
	InBytes            = Measure{{"B", 1}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}
	InGbps             = Measure{{"bit/s", 1e-9}, {"kb/s", 1e-6}, {"Mb/s", 1e-3}, {"Gb/s", 1}, {"Tb/s", 1e3}}
	InGigabytesASecond = Measure{{"B/s", 1e-9}, {"KB/s", 1e-6}, {"MB/s", 1e-3}, {"GB/s", 1}, {"TB/s", 1e3}}
)

// Scale is the unit that a figure is printed in.
type Scale struct{ step }

// Of returns the largest unit in which a value of the base unit is 1 or more; without units it is a plain number's.
func (m Measure) Of(value float64) Scale {
	if len(m) == 0 {
		return Scale{step{"", 1}}
	}
	best := m[0]
	for _, s := range m {
		if value == 0 && s.size == 1 || value != 0 && math.Abs(value) >= s.size {
			best = s
		}
	}
	return Scale{best}
}

// Name is that of the unit, "" of a plain number.
func (s Scale) Name() string { return s.name }

// Figure prints a value of the base unit in the scale's unit, without its name, and Figures prints several.
func (s Scale) Figure(value float64) string { return Figure(value / s.size) }

func (s Scale) Figures(values ...float64) []string {
	var scaled []float64
	for _, value := range values {
		scaled = append(scaled, value/s.size)
	}
	return Figures(scaled...)
}

// Text adds the name of the unit to a figure.
func (s Scale) Text(figure string) string {
	if s.name == "" || figure == "" {
		return figure
	}
	return figure + " " + s.name
}

// Text prints a value of the base unit for people: 14077.612 us are "14.08 ms", 8388608 B "8.389 MB".
func (m Measure) Text(value float64) string {
	scale := m.Of(value)
	return scale.Text(scale.Figure(value))
}

// Figure prints a duration for people, as a table does: 14.08 ms. String has all digits.
func (d Duration) Figure() string { return InMicroseconds.Text(d.Microseconds()) }

// Figure prints an instant for people, as the time since the beginning.
func (t Time) Figure() string { return Duration(t).Figure() }

// Figure prints a size for people: 8.389 MB. String has all digits.
func (b Bytes) Figure() string { return InBytes.Text(float64(b)) }

// Figure prints a rate for people: 72.59 Gb/s. String has all digits.
func (r BitRate) Figure() string { return InGbps.Text(float64(r) / float64(Gbps)) }
