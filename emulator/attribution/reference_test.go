package attribution

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// On random fabrics the attribution has the results of the plain reference, to the bit: fair shares, bottlenecks,
// and idle ways beside. Bins are alike or not, ports have one queue or several, and series begin late, pause, or are
// missing. Red if a period goes on after a change, if the sum before a bin is taken for that of another one, or if a
// search beside ends too early. Tier of all here: -short.
func TestEqualToThePlainReference(t *testing.T) {
	var seen counts
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 31))
		f := randomFabric(rng)
		f.Prepare()
		p := newPlain(f)
		for i := range f.Flows {
			for bin := range f.Bins {
				if got, want := f.fairShare(i, bin), p.shares[i][bin]; got != want {
					t.Fatalf("seed %d: flow %d has a fair share of %v in bin %d, want %v", seed, i, got, bin, want)
				}
			}
			if seen.compare(t, p, i, rng); t.Failed() {
				t.Fatalf("seed %d: flow %d", seed, i)
			}
		}
		seen.repeats += f.Bins - 1 - int(f.periodOf[f.Bins-1])
	}
	if seen.repeats < 100 || seen.bins < 1500 || seen.idle < 500 || seen.enough < 300 {
		t.Errorf("the fabrics show too little: %+v", seen)
	}
}

// counts are bins with the same shares as the one before, bins of flows with a bottleneck, and those with ways beside
// that were idle for some time, and for enough.
type counts struct{ repeats, bins, idle, enough int }

// compare compares the bins of a flow.
func (c *counts) compare(t *testing.T, p *plain, number int, rng *rand.Rand) {
	flow := &p.Flows[number]
	times := slices.Clone(p.activity(flow))
	views, s := p.bottlenecks(flow, times), newSums(len(flow.Way))
	for bin := range p.Bins {
		at := bin - flow.first
		if !p.activeIn(flow, bin) {
			if at >= 0 && at < len(times) && times[at] != 0 {
				t.Errorf("active for %v in bin %d, want 0", times[at], bin)
			}
			continue
		}
		if float64(times[at]) != flow.active(bin) {
			t.Errorf("active for %v in bin %d, want %v", times[at], bin, flow.active(bin))
		}
		want := p.look(flow, bin)
		if views == nil || want.step < 0 {
			if views != nil || want.step >= 0 {
				t.Errorf("the bottlenecks are %v, want step %d", views, want.step)
			}
			continue
		}
		if c.bins++; views[at] != want {
			t.Errorf("bin %d: %+v, want %+v", bin, views[at], want)
		}
		part, enough := rng.Float64(), rng.Float64()*float64(p.Width)
		all := p.beside(flow, want.step, bin) * part
		beside := p.idleBeside(p.waysBeside(flow, want.step, &s), bin, part, enough)
		if min(beside, enough) != min(all, enough) {
			t.Errorf("bin %d: idle for %v beside, want %v or %v", bin, beside, all, enough)
		}
		if all > 0 && all < enough {
			c.idle++
		}
		if all >= enough {
			c.enough++
		}
	}
}

// randomFabric is a fabric of a few flows that meet at a few ports.
func randomFabric(rng *rand.Rand) *Fabric {
	f := &Fabric{Width: []unit.Duration{100 * us, 10000 * us}[rng.IntN(2)], Bins: 1 + rng.IntN(20)}
	for range 8 {
		port := Port{Rate: []unit.BitRate{25, 100, 400}[rng.IntN(3)] * unit.Gbps, Load: f.randomSeries(rng, 1)}
		if rng.IntN(10) == 0 {
			port.Load = nil
		}
		if rng.IntN(3) == 0 {
			port.Paused = f.randomSeries(rng, 4)
		}
		if rng.IntN(3) == 0 {
			sorts := sorting(map[int]int{1: 3, 2: rng.IntN(4)}, 5, 6)
			port.Weights, port.Strict = sorts.Weights, sorts.Strict
		}
		f.Ports = append(f.Ports, port)
	}
	for range 1 + rng.IntN(8) {
		flow := Flow{Way: f.randomWay(rng), Packet: unit.Duration(rng.IntN(20)) * us}
		if rng.IntN(10) > 0 {
			flow.Sends = &record.SendSeries{
				Sending:  *f.randomSeries(rng, 3),
				PortBusy: *f.randomSeries(rng, 9),
				Held:     *f.randomSeries(rng, 3),
			}
		}
		var ways [][]Step
		for range rng.IntN(4) {
			ways = append(ways, f.randomWay(rng))
		}
		flow.Beside = func(step int) [][]Step { return ways[:min(step+1, len(ways))] }
		f.Flows = append(f.Flows, flow)
	}
	return f
}

// randomWay is a way over up to four ports; frames may be spread to the last two.
func (f *Fabric) randomWay(rng *rand.Rand) (way []Step) {
	delay := unit.Duration(0)
	for hop, port := range rng.Perm(len(f.Ports))[:1+rng.IntN(4)] {
		way = append(way, Step{
			Port:  port,
			Queue: []int{0, 1, 2, 5, 6}[rng.IntN(5)],
			Hop:   hop,
			Share: 1,
			Delay: delay,
		})
		delay += unit.Duration(rng.Int64N(int64(f.Width)))
	}
	if n := len(way); n > 2 && rng.IntN(3) == 0 {
		way[n-2].Share, way[n-1].Share, way[n-1].Hop = 0.75, 0.25, way[n-2].Hop
	}
	return way
}

// randomSeries is a series of up to a part of a bin's width, with stretches of one value, that begins and ends
// somewhere.
func (f *Fabric) randomSeries(rng *rand.Rand, part int64) *record.Series {
	s, value := new(record.Series), uint64(0)
	for bin := rng.IntN(f.Bins); bin < f.Bins-rng.IntN(3); bin++ {
		switch rng.IntN(6) {
		case 0:
			value = 0
		case 1, 2:
			value = uint64(rng.Int64N(int64(f.Width) / part))
		}
		s.Put(bin, value)
	}
	return s
}

// The rates of a flow that was held back depend on the order of equal free rates only by rounding, and it is kept.
func TestRatesOfManyBins(t *testing.T) {
	p := &plain{Fabric: &Fabric{Width: 100 * us}}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 32))
		var held heldBins
		var list []plainHeld
		for bin := range rng.IntN(200) {
			b := plainHeld{bin, float64(1+rng.IntN(6)) / 7, rng.Float64() * 1e11, float64(rng.IntN(4)) * 1e10}
			held.add(b.bin, b.time, b.rate, b.free)
			list = append(list, b)
		}
		if got, want := held.at(p.Fabric), p.heldAt(list); got != want {
			t.Errorf("seed %d: %+v, want %+v", seed, got, want)
		}
	}
}
