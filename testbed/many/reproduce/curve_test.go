package reproduce

import (
	"fmt"
	"strings"
	"testing"
)

// A curve has names that differ in one part: the last one, or one in the middle with the values of a key.
// Red: with `key != ""` as `key == ""`, and with only `c.title == title`.
func TestCurves(t *testing.T) {
	for names, want := range map[string]string{
		"RTT, n=2;RTT, n=4;utilisation": "RTT: n=2 n=4",
		// If there is an option the number of flows is before it.
		"RTT, n=2, 1pkt;RTT, n=2;RTT, n=4, 1pkt;RTT, n=4": "RTT, 1pkt: n=2 n=4|RTT: n=2 n=4",
		"rate, target 0 us, 9 KB, 1pkt;rate, target 1 us, 9 KB, 1pkt;rate, target 0 us, 9 KB":
		// One has no fellow.
		"rate, 9 KB, 1pkt: target 0 us target 1 us|rate, target 0 us: 9 KB",
		// As many in the midst as at the end: the end.
		"pauses, n=2, 10 KB;pauses, n=2, 20 KB;pauses, n=4, 10 KB;pauses, n=4, 20 KB": "pauses, n=2: 10 KB 20 KB|" +
			"pauses, n=4: 10 KB 20 KB",
		// Words in the middle are not values.
		"flow, least, alone;flow, most, alone": "flow, least: alone|flow, most: alone",
		// A curve is not taken for another whose names have the same other parts.
		"a, n=1, b;a, n=2, b;a, b, n=1": "a, b: n=1 n=2|a, b: n=1",
	} {
		t.Run(names, func(t *testing.T) {
			list := strings.Split(names, ";")
			var got []string
			for _, c := range curvesOf(list, make([]string, len(list))) {
				got = append(got, fmt.Sprintf("%s: %s", c.title, strings.Join(c.points, " ")))
				for i, name := range c.names {
					if !strings.Contains(name, c.points[i]) {
						t.Errorf("%s: point %s is of %s", names, c.points[i], name)
					}
				}
			}
			if all := strings.Join(got, "|"); all != want {
				t.Errorf("%s:\n%s, want\n%s", names, all, want)
			}
		})
	}
}

// What points of a curve have in common is the key.
func TestKeyOf(t *testing.T) {
	for points, want := range map[string]string{
		"n=2;n=4":                "n: 2;4",
		"Kmin 50 KB;Kmin 100 KB": "Kmin: 50 KB;100 KB",
		"near;far":               ": near;far",
		"n=2;m=4":                ": n=2;m=4",
		"quick;quick one":        ": quick;quick one",
	} {
		t.Run(points, func(t *testing.T) {
			key, places := keyOf(strings.Split(points, ";"))
			if got := key + ": " + strings.Join(places, ";"); got != want {
				t.Errorf("%s: %s, want %s", points, got, want)
			}
		})
	}
}
