package proximal

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Four to one at a port of 100 Gb/s: in 20 us the queue grew by 300 Gb/s x 20 us
// = 750 KB, so 400 Gb/s arrive.
func fourToOne() Reading {
	return Reading{
		Depth:   1150 * unit.KB,
		Before:  400 * unit.KB,
		Elapsed: 20 * unit.Microsecond,
		Rate:    100 * unit.Gbps,
		Kmin:    400 * unit.KB,
		Kmax:    1600 * unit.KB,
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
		{"below the threshold", func(r *Reading) { r.Depth = r.Kmin }, 1200 * unit.Microsecond, 1, false},
	} {
		r := fourToOne()
		x.change(&r)
		if got, known := r.Wanted(x.loop); math.Abs(got-x.want) > 1e-12 || known != x.known {
			t.Errorf("%s: %v, %t; want %v, %t", x.name, got, known, x.want, x.known)
		}
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
		r := fourToOne()
		r.Depth, r.Usage = x.depth, x.usage
		if got := r.Degree(); math.Abs(got-x.want) > 1e-9 {
			t.Errorf("%v, %v of the buffer: %v, want %v", x.depth, x.usage, got, x.want)
		}
	}
	r := Reading{Depth: 11, Kmin: 10, Kmax: 10}
	if r.Degree() != 1 {
		t.Error("above a step there is no more than 1")
	}
}

func TestCNPs(t *testing.T) {
	far := 1200 * unit.Microsecond
	p := profile.DefaultProximal()
	with := func(change func(*profile.Proximal)) *profile.Proximal {
		q := p
		change(&q)
		return &q
	}
	for _, x := range []struct {
		name                  string
		p                     *profile.Proximal
		depth                 unit.Bytes
		alpha, share, largest float64
		want                  int
	}{
		// ln(95/400) / ln(1/2) = 2.07: three cuts leave 1/8, two would leave 1/4.
		{"slope, alpha 1", &p, 1150 * unit.KB, 1, 0.5, 0.5, 3},
		// Each cut leaves 0.75 and alpha grows by 1/2 of 5/1024: 0.75, 0.562, 0.42, 0.315, 0.236.
		{"slope, alpha 1/2", &p, 1150 * unit.KB, 0.5, 0.5, 0.5, 5},
		{"slope, at most one", with(func(q *profile.Proximal) { q.MaxCNPs = 1 }), 1150 * unit.KB, 1, 0.5, 0.5, 1},
		{"slope, a small share", &p, 1150 * unit.KB, 1, 0.009, 0.5, 0},
		// Below the threshold the buffer alone counts: 0.7 of it are a degree of 1/2.
		{"slope, buffer", &p, 300 * unit.KB, 1, 0.5, 0.5, 2},
		// d = 0.5: 3 x 0.5 = 1.5, and half of that for half the share.
		{"linear", with(func(q *profile.Proximal) { q.Map = profile.MapLinear }), 1000 * unit.KB, 1, 0.5, 0.5, 2},
		{"linear, half of the largest", with(func(q *profile.Proximal) { q.Map = profile.MapLinear }),
			1000 * unit.KB, 1, 0.25, 0.5, 1},
		{"linear, full", with(func(q *profile.Proximal) { q.Map = profile.MapLinear }), 1600 * unit.KB, 1, 0.5, 0.5, 3},
		{"fixed", with(func(q *profile.Proximal) { q.Map, q.CNPs = profile.MapFixed, 4 }), 401 * unit.KB, 1, 0.5, 0.5, 4},
	} {
		r := fourToOne()
		r.Depth = x.depth
		if x.depth < r.Kmin {
			r.Usage = 0.7
		}
		if got := CNPs(x.p, &r, far, x.alpha, x.share, x.largest); got != x.want {
			t.Errorf("%s: %d, want %d", x.name, got, x.want)
		}
	}
}
