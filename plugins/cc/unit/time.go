package unit

import (
	"math"
	"strconv"
	"strings"
)

// Time is an instant of the model: picoseconds since the start of the run.
// Range: 0 to Never.
type Time int64

// Duration is a span of model time in picoseconds. It may be negative.
type Duration int64

// The usual durations.
const (
	Picosecond  Duration = 1
	Nanosecond           = 1000 * Picosecond
	Microsecond          = 1000 * Nanosecond
	Millisecond          = 1000 * Microsecond
	Second               = 1000 * Millisecond
)

// Never is the instant that no event reaches: "nothing is pending".
const Never Time = math.MaxInt64

// Add returns the instant d after t, Never if that is later than a Time can be.
func (t Time) Add(d Duration) Time {
	sum := t + Time(d)
	if d > 0 && sum < t {
		return Never
	}
	return sum
}

// Sub returns the span from u to t.
func (t Time) Sub(u Time) Duration { return Duration(t - u) }

// Nanoseconds returns t in whole nanoseconds, rounded down, as timestamps on
// the wire are.
func (t Time) Nanoseconds() int64 { return floorDiv(int64(t), int64(Nanosecond)) }

// Seconds returns t in seconds, for reports.
func (t Time) Seconds() float64 { return float64(t) / float64(Second) }

// String prints t as a Duration since the start of the run, or "never".
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return Duration(t).String()
}

// Nanoseconds returns d in whole nanoseconds, rounded down (towards minus
// infinity, so that a negative delay is never shortened to zero).
func (d Duration) Nanoseconds() int64 { return floorDiv(int64(d), int64(Nanosecond)) }

// Microseconds returns d in microseconds, for reports.
func (d Duration) Microseconds() float64 { return float64(d) / float64(Microsecond) }

// Seconds returns d in seconds, for reports.
func (d Duration) Seconds() float64 { return float64(d) / float64(Second) }

// Scale returns d x num / den with a 128-bit product, rounded down.
func (d Duration) Scale(num, den int64) Duration { return Duration(mulDiv(int64(d), num, den)) }

// String prints d in the largest unit that leaves a number of at least one,
// without trailing zeros: 12.8us, 4.19us, 335.5us, 80ps.
func (d Duration) String() string {
	abs := d
	if abs < 0 {
		abs = -abs
	}
	for _, s := range spans {
		if abs >= s.size {
			return decimal(float64(d)/float64(s.size), s.name)
		}
	}
	if d == 0 {
		return "0s"
	}
	return decimal(float64(d), "ps")
}

var spans = []struct {
	name string
	size Duration
}{{"s", Second}, {"ms", Millisecond}, {"us", Microsecond}, {"ns", Nanosecond}, {"ps", Picosecond}}

// ParseDuration reads a number and a unit: "1us", "1.5 ms", "0s". Allowed
// units: ps, ns, us (or µs), ms, s. A bare 0 needs no unit.
func ParseDuration(s string) (Duration, error) {
	v, err := Durations.parse(s)
	return Duration(v), err
}

func decimal(v float64, unit string) string {
	s := strconv.FormatFloat(v, 'f', 3, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	return s + unit
}
