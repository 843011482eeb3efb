package unit

import (
	"math"
	"strconv"
	"strings"
)

// Figure prints a number for people, with up to four significant digits: 22.53, 0.9997, 17633. Zeros that end its
// decimals are left away. It is "" for NaN.
func Figure(value float64) string {
	size := math.Abs(value)
	switch {
	case math.IsNaN(value):
		return ""
	case size != 0 && size < 1e-4 || size >= 1e7 || math.IsInf(value, 0):
		return strconv.FormatFloat(value, 'g', significant, 64)
	}
	decimals := significant - 1
	for bound := 10.0; decimals > 0 && size >= bound; bound *= 10 {
		decimals--
	}
	for bound := 1.0; size != 0 && size < bound; bound /= 10 {
		decimals++
	}
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// significant is how many digits of a figure are for people.
const significant = 4

// Measure is what a figure is measured in: units of one quantity, from the smallest on.
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

// Figure prints a value of the base unit in the scale's unit, without its name.
func (s Scale) Figure(value float64) string { return Figure(value / s.size) }

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
