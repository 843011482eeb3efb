package clock

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// reading(t) = floor(t + offset + drift x (t - last resync)).
func TestReading(t *testing.T) {
	const us, ms = unit.Microsecond, unit.Millisecond
	for _, c := range []struct {
		offset unit.Duration
		drift  int64 // parts per 1e12
		resync unit.Duration
		at     unit.Time
		want   int64
	}{
		{0, 0, 0, 1999, 1},
		{-2 * unit.Nanosecond, 0, 0, 1999, -1},
		{500, 0, 0, 1500, 2},
		{0, 10 * perMillion, 0, unit.Time(ms), 1_000_010},
		{0, -10 * perMillion, 0, unit.Time(ms), 999_990},
		{0, 10 * perMillion, 400 * us, unit.Time(ms), 1_000_002},
		{100 * us, 10 * perMillion, 400 * us, unit.Time(ms), 1_100_002},
		{0, 1, 0, unit.Time(3600 * unit.Second), 3_600_000_000_003}, // 3.6 ns in an hour
	} {
		t.Run(fmt.Sprintf("offset=%v,drift=%v,resync=%v", c.offset, c.drift, c.resync), func(t *testing.T) {
			clk := &Clock{offset: c.offset, drift: c.drift, resync: c.resync}
			if got := clk.Read(c.at); got != c.want {
				t.Errorf("offset %v, drift %d, resync %v: reading at %v is %d, want %d", c.offset, c.drift, c.resync,
					c.at, got, c.want)
			}
		})
	}
}

// Draws keep their bounds, differ by NIC and repeat by seed.
func TestDraws(t *testing.T) {
	p := profile.Clock{Offset: 100 * unit.Nanosecond, DriftPPM: 20, Noise: 50 * unit.Nanosecond}
	a, again, b := New(p, 1, "a"), New(p, 1, "a"), New(p, 1, "b")
	if a.Offset() == b.Offset() || a.Offset() != again.Offset() || a.DriftPPM() != again.DriftPPM() {
		t.Errorf("offsets %v %v %v", a.Offset(), again.Offset(), b.Offset())
	}
	for range 1000 {
		c := New(p, uint64(a.stream.Below(1<<40)), "c")
		if o := c.Offset(); o < -p.Offset || o > p.Offset {
			t.Fatalf("offset %v", o)
		}
		if d := c.DriftPPM(); d < -20 || d > 20 {
			t.Fatalf("drift %v", d)
		}
	}
}

// Noise: uniform within its bound, Gaussian with its deviation, and none in a
// quiet reading.
func TestNoise(t *testing.T) {
	const n = 10000
	at := unit.Time(unit.Second)
	for _, gaussian := range []bool{false, true} {
		t.Run(fmt.Sprintf("gaussian=%v", gaussian), func(t *testing.T) {
			c := New(profile.Clock{Noise: unit.Microsecond, Gaussian: gaussian}, 1, "a")
			sum, squares, most := 0.0, 0.0, int64(0)
			for range n {
				d := c.Read(at) - at.Nanoseconds()
				if c.ReadSender(at) != at.Nanoseconds() {
					t.Fatal("a quiet reading has noise")
				}
				sum += float64(d)
				squares += float64(d) * float64(d)
				most = max(most, d, -d)
			}
			// The variance is 1000^2/3 for the uniform, 1000^2 for the Gaussian;
			// with 10^4 samples the mean strays by under 1 %, the variance by
			// under 5 %, of sigma at four standard errors.
			variance := 1e6 / 3
			if gaussian {
				variance = 1e6
			}
			if mean := sum / n; mean < -45 || mean > 45 {
				t.Errorf("gaussian %v: mean %v ns", gaussian, mean)
			}
			if v := squares / n; v < 0.93*variance || v > 1.07*variance {
				t.Errorf("gaussian %v: variance %v, want %v", gaussian, v, variance)
			}
			if !gaussian && most > 1000 || gaussian && most < 2000 {
				t.Errorf("gaussian %v: largest %d ns", gaussian, most)
			}
		})
	}
}
