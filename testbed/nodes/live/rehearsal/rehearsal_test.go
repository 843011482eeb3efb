package rehearsal

import (
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// walk makes samples of steps: model time in us, and what it takes on the wall in us.
func walk(steps ...[2]int) (samples []sample) {
	samples = []sample{{}}
	for _, step := range steps {
		last := samples[len(samples)-1]
		samples = append(samples, sample{
			Wall:  last.Wall + time.Duration(step[1])*time.Microsecond,
			Model: last.Model.Add(unit.Duration(step[0]) * unit.Microsecond),
		})
	}
	return samples
}

// The busiest millisecond counts, wherever it begins, and idle time does not make it
// look better.
func TestBusiest(t *testing.T) {
	for name, c := range map[string]struct {
		samples []sample
		want    float64
		at      unit.Time
	}{
		"nothing":        {nil, 0, 0},
		"one look":       {walk(), 0, 0},
		"it stood still": {walk([2]int{0, 500}), 0, 0},
		"even":           {walk([2]int{1000, 3000}, [2]int{1000, 3000}), 3, 0},
		"a first burst":  {walk([2]int{500, 50_000}, [2]int{500, 10_000}, [2]int{4000, 4000}), 60, 0},
		"late":           {walk([2]int{700, 700}, [2]int{500, 9000}, [2]int{500, 1000}, [2]int{900, 90}), 10, 700 * us},
		"a short run":    {walk([2]int{100, 400}, [2]int{100, 400}), 4, 0},
		"a rest between": {walk([2]int{100, 800}, [2]int{5000, 0}, [2]int{1000, 100}), 0.8, 0},
	} {
		got := busiestOf(c.samples)
		if got.Factor != c.want || got.At != c.at {
			t.Errorf("%s: %v at %v, want %v at %v", name, got.Factor, got.At, c.want, c.at)
		}
	}
}

const us = unit.Time(unit.Microsecond)

// A dilation has half as much again, in a sensible number.
func TestDilation(t *testing.T) {
	for slowdown, want := range map[float64]int64{
		0: 1, 0.6: 1, 0.67: 2, 1: 2, 1.4: 5, 3.3: 5, 3.4: 10, 66: 100, 67: 200, 99: 200, 333: 500, 334: 1000,
	} {
		if got := dilation(slowdown); got != want {
			t.Errorf("%v times slower: K = %d, want %d", slowdown, got, want)
		}
	}
}

// An edge's link has two ticks at least, and more where the host wakes late; that is time
// on the wall.
func TestEdgeLatency(t *testing.T) {
	const us = unit.Microsecond
	late := func(ns ...int64) *record.Lateness {
		var l record.Lateness
		for _, n := range ns {
			l.Add(n)
		}
		return &l
	}
	rare := late(4_000_000, 4_000_000)
	for range 998 {
		rare.Add(0)
	}
	for _, c := range []struct {
		late      *record.Lateness
		dilation  int64
		reference time.Duration
		want      unit.Duration
	}{
		{late(), 1, 0, 100 * us},
		{late(50_000), 1, 200 * time.Microsecond, 100 * us},
		{late(150_000), 1, 600 * time.Microsecond, 200 * us},
		{late(0, 0, 0, 900_000), 1, 1800 * time.Microsecond, 500 * us},
		{rare, 1, 2 * time.Millisecond, 500 * us},
		{late(150_000), 10, 600 * time.Microsecond, 20 * us},
		{late(), 1000, 0, 100 * unit.Nanosecond},
	} {
		if got := reference(c.late); got != c.reference {
			t.Errorf("largest %d ns: R = %v, want %v", c.late.Max(), got, c.reference)
		}
		if got := edgeLatency(c.late, c.dilation); got != c.want {
			t.Errorf("largest %d ns, K = %d: %v, want %v", c.late.Max(), c.dilation, got, c.want)
		}
	}
}

// Hosts outside run nothing while a plan is rehearsed, and the plan stays as it is.
func TestRehearsedPlanIsSilent(t *testing.T) {
	p := &plan.Plan{Devices: []plan.Device{{Kind: plan.KindEdge, Config: plan.Edge{Host: true, Exec: "iperf3 -s"}}}}
	if q := silent(p); q.EdgeAt(0).Exec != "" || !q.EdgeAt(0).Host || p.EdgeAt(0).Exec == "" {
		t.Errorf("%+v of %+v", q.EdgeAt(0), p.EdgeAt(0))
	}
}
