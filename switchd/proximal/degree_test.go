package proximal

import (
	"fmt"
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Four to one at a port of 100 Gb/s: in 20 us the queue grew by 300 Gb/s x 20 us
// = 750 KB, so 400 Gb/s arrive.
func fourToOne() Reading {
	return Reading{
		Depth:     1150 * unit.KB,
		Before:    400 * unit.KB,
		Elapsed:   20 * unit.Microsecond,
		Rate:      100 * unit.Gbps,
		Threshold: 400 * unit.KB,
		Kmax:      1600 * unit.KB,
	}
}

func TestWanted(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*Reading)
		loop   unit.Duration
		want   float64
		known  bool
	}{
		// Above the threshold are 750 KB; to drain them in 1.2 ms takes 5 Gb/s: r = 95/400.
		{"far", func(*Reading) {}, 1200 * unit.Microsecond, 95.0 / 400, true},
		// In 100 us it takes 60 Gb/s: 40/400 = 0.1, below the least of 1/8.
		{"near", func(*Reading) {}, 100 * unit.Microsecond, 1.0 / 8, true},
		{"in 120 us", func(*Reading) {}, 120 * unit.Microsecond, 50.0 / 400, true},
		{"steady", func(r *Reading) { r.Before = r.Depth }, 1200 * unit.Microsecond, 0.95, true},
		// It shrinks by 300 Gb/s, so less than nothing would arrive.
		{"nothing comes", func(r *Reading) { r.Before = 1900 * unit.KB }, 1200 * unit.Microsecond, 1, true},
		{"no slope", func(r *Reading) { r.Elapsed = 0 }, 1200 * unit.Microsecond, 1, false},
		{"below the threshold", func(r *Reading) { r.Depth = r.Threshold }, 1200 * unit.Microsecond, 1, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := fourToOne()
			x.change(&r)
			if got, known := r.Wanted(x.loop); math.Abs(got-x.want) > 1e-12 || known != x.known {
				t.Errorf("%s: %v, %t; want %v, %t", x.name, got, known, x.want, x.known)
			}
		})
	}
}

func TestDegree(t *testing.T) {
	for _, x := range []struct {
		depth unit.Bytes
		usage float64
		want  float64
	}{
		{400 * unit.KB, 0, 0}, {1000 * unit.KB, 0, 0.5}, {1600 * unit.KB, 0, 1}, {9 * unit.MB, 0, 1}, {0, 0.5, 0},
		{0, 0.7, 0.5}, {0, 0.9, 1}, {0, 1, 1}, {1000 * unit.KB, 0.9, 1},
	} {
		t.Run(fmt.Sprintf("depth=%v,usage=%v", x.depth, x.usage), func(t *testing.T) {
			r := fourToOne()
			r.Depth, r.Usage = x.depth, x.usage
			if got := r.Degree(); math.Abs(got-x.want) > 1e-9 {
				t.Errorf("%v, %v of the buffer: %v, want %v", x.depth, x.usage, got, x.want)
			}
		})
	}
	r := Reading{Depth: 11, Threshold: 10, Kmax: 10}
	if r.Degree() != 1 {
		t.Error("above a step there is no more than 1")
	}
}

func TestCNPs(t *testing.T) {
	linear := func(p *profile.Proximal) { p.Map = profile.MapLinear }
	for _, x := range []struct {
		name           string
		change         func(*profile.Proximal)
		depth          unit.Bytes
		rate           unit.BitRate
		share, largest float64
		want           int
	}{
		// Four flows have 25 Gb/s each; the queue's 750 KB above the threshold take 0.06 of that. Before the first CNP
		// the cuts leave 0.51, 0.26 and 0.14: see TestCuts.
		{"fair, r = 0.511", nil, 1150 * unit.KB, 46 * unit.Gbps, 0.5, 0.5, 0},
		{"fair, r = 0.505", nil, 1150 * unit.KB, 46_500 * unit.Mbps, 0.5, 0.5, 1},
		{"fair, r = 0.5", nil, 400 * unit.KB, 50 * unit.Gbps, 0.5, 0.5, 1},
		{"fair, r = 0.235", nil, 1150 * unit.KB, 100 * unit.Gbps, 0.5, 0.5, 2},
		{"fair, r = 0.125, the queue far above", nil, 60 * unit.MB, 100 * unit.Gbps, 0.5, 0.5, 3},
		{"fair, a share that is small, of a fast flow", nil, 400 * unit.KB, 100 * unit.Gbps, 0.001, 0.5, 2},
		{"fair, at most one", func(p *profile.Proximal) { p.MaxCNPs = 1 }, 60 * unit.MB, 100 * unit.Gbps, 0.5, 0.5, 1},
		{"fair, below the share", nil, 1150 * unit.KB, 11 * unit.Mbps, 0.9, 0.9, 0},
		{"fair, a rate that is not known", nil, 60 * unit.MB, 0, 0.5, 0.5, 0},
		// d = 0.5: 3 x 0.5 = 1.5, and half of that for half the share.
		{"linear", linear, 1000 * unit.KB, 0, 0.5, 0.5, 2},
		{"linear, half of the largest", linear, 1000 * unit.KB, 0, 0.25, 0.5, 1},
		{"linear, full", linear, 1600 * unit.KB, 0, 0.5, 0.5, 3},
		{"linear, a small share", linear, 1600 * unit.KB, 0, 0.009, 0.5, 0},
		// Below the threshold only the buffer counts: 0.7 of it are a degree of 1/2.
		{"linear, buffer", linear, 300 * unit.KB, 0, 0.5, 0.5, 2},
		{"fixed", func(p *profile.Proximal) { p.Map, p.CNPs = profile.MapFixed, 4 }, 401 * unit.KB, 0, 0.5, 0.5, 4},
		{"fixed, at most two", func(p *profile.Proximal) { p.Map, p.CNPs, p.MaxCNPs = profile.MapFixed, 4, 2 },
			401 * unit.KB, 0, 0.5, 0.5, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			p, r := profile.DefaultProximal(), fourToOne()
			if x.change != nil {
				x.change(&p)
			}
			if r.Depth, r.Live = x.depth, 4; x.depth < r.Threshold {
				r.Usage = 0.7
			}
			e := sending(x.rate)
			if got := e.CNPs(100*us, &p, &r, x.share, x.largest); got != x.want {
				t.Errorf("%s: %d, want %d", x.name, got, x.want)
			}
		})
	}
}

// sending is a flow that is metered at a rate from 0 to 100 us, not at all for 0.
func sending(rate unit.BitRate) *Entry {
	e := new(Entry)
	e.Meter.Restart(100 * us)
	if rate > 0 {
		e.Meter.Restart(0)
		e.Meter.Count(0, rate.BytesIn(100*unit.Microsecond))
	}
	return e
}

// C = 100 Gb/s, the threshold 400 KB: 12.5 MB in a millisecond. 1150 KB are 750 KB above it, and 8 x 750 KB in 1 ms are
// 6 Gb/s: drain = 0.94.
func TestFair(t *testing.T) {
	for _, x := range []struct {
		live  int
		depth unit.Bytes
		want  unit.BitRate
	}{
		{4, 400 * unit.KB, 25 * unit.Gbps},
		{4, 1150 * unit.KB, 23_500 * unit.Mbps},
		{1, 1150 * unit.KB, 94 * unit.Gbps},
		{4, 6650 * unit.KB, 12_500 * unit.Mbps}, // drain = 1/2
		{4, 60 * unit.MB, 12_500 * unit.Mbps},
		{4, 0, 25 * unit.Gbps}, // the buffer is what is short
		{65535, 400 * unit.KB, 1_525_902},
		{65535, math.MaxUint32, 762_951},
		{0, 400 * unit.KB, 0},
		{-1, 400 * unit.KB, 0},
	} {
		t.Run(fmt.Sprintf("live=%v,depth=%v", x.live, x.depth), func(t *testing.T) {
			r := fourToOne()
			r.Live, r.Depth = x.live, x.depth
			if got := r.Fair(); got != x.want {
				t.Errorf("%d flows, %v: %v, want %v", x.live, x.depth, got, x.want)
			}
		})
	}
	for _, r := range []Reading{{Live: 4}, {Live: 4, Depth: 1, Rate: -unit.Gbps}, {}} {
		t.Run(fmt.Sprintf("Depth=%v,Rate=%v,Live=%v", r.Depth, r.Rate, r.Live), func(t *testing.T) {
			if r.Fair() != 0 {
				t.Errorf("%+v: %v, want none without a rate", r, r.Fair())
			}
		})
	}
}
