package unit

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseLength(t *testing.T) {
	for _, c := range []struct {
		text string
		want Length
		err  string
	}{
		{"120km", 120 * Kilometre, ""},
		{"2.5 m", 2500 * Millimetre, ""},
		{"0", 0, ""},
		{"30mm", 30, ""},
		{"-1km", 0, "negative"},
		{"120", 0, "120 has no unit: did you mean 120km?"},
		{"120 miles", 0, `"miles" is not a unit of length: allowed are mm, m or km`},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, err := ParseLength(c.text)
			if c.err == "" && (err != nil || got != c.want) || c.err != "" &&
				(err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%q = %d, %v; want %d, %q", c.text, got, err, c.want, c.err)
			}
		})
	}
}

// 5 ns/m: 120 km are 600 us, 1 m is 5 ns, and half the equator 100 ms.
func TestPropagation(t *testing.T) {
	for l, want := range map[Length]Duration{120 * Kilometre: 600 * Microsecond, Metre: 5 * Nanosecond, Millimetre: 5,
		20_000 * Kilometre: 100 * Millisecond} {
		t.Run(fmt.Sprint(l), func(t *testing.T) {
			if got := l.Propagation(); got != want {
				t.Errorf("%v take %v, want %v", l, got, want)
			}
		})
	}
	for l, want := range map[Length]string{120 * Kilometre: "120km", 2500 * Millimetre: "2.5m", 30: "30mm", 0: "0mm"} {
		t.Run(fmt.Sprint(l), func(t *testing.T) {
			if got := l.String(); got != want {
				t.Errorf("%d prints as %s, want %s", l, got, want)
			}
		})
	}
}
