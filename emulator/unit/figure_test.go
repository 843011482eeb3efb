package unit_test

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/unit"
)

// Tier: -short, as all of this file.
func TestFigure(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 1: "1", 22.5321: "22.53", 0.99974: "0.9997", 0.99996: "1", 17632.815: "17633", 999.96: "1000", 100: "100",
		1.5: "1.5", 0.012345: "0.01235", -14.0776: "-14.08", 1234567.8: "1234568", 2.5e7: "2.5e+07", 1e-5: "1e-05",
		math.NaN(): "", 0.1: "0.1", 9.9996: "10",
	} {
		if got := unit.Figure(value); got != want {
			t.Errorf("%v is %q, want %q", value, got, want)
		}
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
		{unit.InMicroseconds, 2.5e6, "2.5 s"},
		{unit.InMicroseconds, -1500, "-1.5 ms"},
		{unit.InBytes, 8388608, "8.389 MB"},
		{unit.InBytes, 84, "84 B"},
		{unit.InBytes, 0, "0 B"},
		{unit.InGbps, 64.149, "64.15 Gb/s"},
		{unit.InGbps, 0.25, "250 Mb/s"},
		{unit.InGbps, 1600, "1.6 Tb/s"},
		{unit.InGigabytesASecond, 12.5, "12.5 GB/s"},
		{nil, 0.99974, "0.9997"},
		{unit.InBytes, math.NaN(), ""},
	} {
		if got := c.of.Text(c.value); got != c.want {
			t.Errorf("%v is %q, want %q", c.value, got, c.want)
		}
	}
}
