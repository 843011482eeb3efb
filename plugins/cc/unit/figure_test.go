package unit_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Tier: -short, as all of this file.
func TestFigure(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 1: "1", 22.5321: "22.53", 0.99974: "0.9997", 0.99996: "1.000",
		22.5: "22.50", 21.997: "22.00", 1.8: "1.800", 17632.815: "17633", 100: "100",
		1.5: "1.500", 0.012345: "0.01235", -14.0776: "-14.08", 1234567.8: "1234568", 2.5e7: "25000000",
		9.371e-5:   "0.00009371",
		math.NaN(): "", 0.1: "0.1000", 9.9996: "10.00", 999.96: "1000", 50.00000000000001: "50",
	} {
		t.Run(fmt.Sprintf("value=%v", value), func(t *testing.T) {
			if got := unit.Figure(value); got != want {
				t.Errorf("%v is %q, want %q", value, got, want)
			}
		})
	}
}

func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		of    unit.Measure
		value float64
		want  string
	}{
		{unit.InMicroseconds, 14077.612, "14.08 ms"},
		{unit.InMicroseconds, 0.05, "50 ns"},
		{unit.InMicroseconds, 0, "0 us"},
		{unit.InMicroseconds, 2.5e6, "2.500 s"},
		{unit.InMicroseconds, -1500, "-1.500 ms"},
		{unit.InBytes, 8388608, "8.389 MB"},
		{unit.InBytes, 84, "84 B"},
		{unit.InBytes, 0, "0 B"},
		{unit.InGbps, 64.149, "64.15 Gb/s"},
		{unit.InGbps, 0.25, "250 Mb/s"},
		{unit.InGbps, 1600, "1.600 Tb/s"},
		{unit.InGigabytesASecond, 12.5, "12.50 GB/s"},
		{nil, 0.99974, "0.9997"},
		{unit.InBytes, math.NaN(), ""},
	} {
		t.Run(fmt.Sprintf("value=%v,want=%s", c.value, c.want), func(t *testing.T) {
			if got := c.of.Text(c.value); got != c.want {
				t.Errorf("%v is %q, want %q", c.value, got, c.want)
			}
		})
	}
}

// Times, sizes and rates are printed in sentences as in tables.
func TestFiguresOfUnits(t *testing.T) {
	for got, want := range map[string]string{
		(14077612 * unit.Nanosecond).Figure():              "14.08 ms",
		unit.Time(74800 * unit.Nanosecond).Figure():        "74.80 us",
		unit.Bytes(837720).Figure():                        "837.7 KB",
		(72*unit.Gbps + 590*unit.Mbps).Figure():            "72.59 Gb/s",
		unit.Bytes(0).Figure() + unit.Duration(0).Figure(): "0 B0 us",
	} {
		t.Run(fmt.Sprintf("%.50q", got), func(t *testing.T) {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// The ends of a range have decimals together, or not at all.
func TestFiguresOfARange(t *testing.T) {
	for want, values := range map[string][]float64{"[1.800 1.805]": {1.8, 1.805}, "[14.00 14.00]": {14, 14.0012},
		"[0 8.192]": {0, 8.192}, "[4 60]": {4, 60}, "[ 7]": {math.NaN(), 7}} {
		t.Run(want, func(t *testing.T) {
			if got := fmt.Sprint(unit.Figures(values...)); got != want {
				t.Errorf("%v: %s, want %s", values, got, want)
			}
		})
	}
}
