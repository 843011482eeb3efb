package traffic

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func named(t *testing.T, name string) Distribution {
	t.Helper()
	for _, d := range Distributions {
		if d.Name == name {
			return d.Points
		}
	}
	t.Fatalf("there is no distribution %s", name)
	return nil
}

// Means by hand: half the sum of (p2 - p1)(s2 + s1).
func TestMeanSizes(t *testing.T) {
	for name, want := range map[string]float64{"facebook-hadoop": 120_420.75, "web-search": 1_711_250} {
		t.Run(name, func(t *testing.T) {
			if got := named(t, name).Mean(); math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s has a mean of %.3f, want %.3f", name, got, want)
			}
		})
	}
	for _, d := range Distributions {
		t.Run(d.Name, func(t *testing.T) {
			if i, err := d.Points.Check(); err != nil {
				t.Errorf("%s: point %d: %v", d.Name, i, err)
			}
		})
	}
	// three quarters of 1000 B, the rest from there to 3000 B
	if got := (Distribution{{1000, 50}, {1000, 75}, {3000, 100}}).Mean(); got != 1250 {
		t.Errorf("a mean of %g, want 1250", got)
	}
}

// Of 200 000 draws, as many lie at or below each point as its probability demands, within five standard errors.
func TestDrawsFollowTheDistribution(t *testing.T) {
	const n = 200_000
	dists := map[string]Distribution{"step": {{100, 30}, {200, 30}, {200, 60}, {5000, 100}}}
	for _, d := range Distributions {
		dists[d.Name] = d.Points
	}
	for name, d := range dists {
		t.Run(name, func(t *testing.T) {
			s := chance.New(1, name)
			var drawn []unit.Bytes
			sum := 0.0
			for range n {
				b := d.draw(s)
				drawn = append(drawn, b)
				sum += float64(b)
			}
			slices.Sort(drawn)
			if drawn[0] < 1 || drawn[n-1] > d[len(d)-1].Size {
				t.Errorf("%s: from %v to %v", name, drawn[0], drawn[n-1])
			}
			for i, p := range d {
				if i+1 < len(d) && d[i+1].Size == p.Size {
					continue // a step: the upper point tells
				}
				below, _ := slices.BinarySearch(drawn, p.Size+1)
				q := p.Percent / 100
				if got := float64(below) / n; math.Abs(got-q) > 5*math.Sqrt(q*(1-q)/n)+1e-4 { // sizes are rounded down
					t.Errorf("%s: %.4f are at most %v, want %.4f", name, got, p.Size, q)
				}
			}
			if mean := d.Mean(); math.Abs(sum/n/mean-1) > 0.05 {
				t.Errorf("%s: a mean of %.0f, want %.0f", name, sum/n, mean)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	for name, d := range map[string]Distribution{
		"empty": {}, "short": {{1, 50}}, "falling size": {{2, 50}, {1, 100}}, "falling " +
			"percent": {{1, 50}, {2, 40}, {3, 100}},
		"above": {{1, 101}}, "NaN": {{1, math.NaN()}}, "nothing": {{0, 100}}, "negative": {{-1, 0}, {1, 100}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := d.Check(); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

func poisson(name string, sizes Distribution, gap unit.Duration) Entry {
	e := Entry{
		Name:    name,
		Kind:    Poisson,
		Senders: upTo(8),
		Sizes:   sizes,
		Until:   unit.Time(10 * unit.Millisecond),
	}
	for range e.Senders {
		e.Gaps = append(e.Gaps, gap)
	}
	return e
}

// Gaps are exponential of their mean, and destinations uniform.
func TestPoisson(t *testing.T) {
	e := poisson("p", named(t, "web-search"), 10*unit.Microsecond)
	flows := e.flows(1)
	if n := len(flows); n < 7600 || n > 8400 || e.Count() != 8001 { // 8000, sd 89
		t.Fatalf("%d flows, Count %d", n, e.Count())
	}
	var to [8]int
	seen := map[string]bool{}
	last := map[int]unit.Time{}
	long := 0
	for _, f := range flows {
		if f.Src == f.Dst || f.Start >= e.Until || seen[f.Name] {
			t.Fatalf("%s starts at %v", f.Name, f.Start)
		}
		seen[f.Name] = true
		to[f.Dst]++
		if f.Start.Sub(last[f.Src]) > 20*unit.Microsecond {
			long++
		}
		last[f.Src] = f.Start
	}
	for h, n := range to {
		if n < 850 || n > 1150 { // 1000, sd 30
			t.Errorf("%s receives %d flows", host(h), n)
		}
	}
	if share := float64(long) / float64(len(flows)); math.Abs(share-math.Exp(-2)) > 0.02 {
		t.Errorf("%.3f of the gaps are beyond two means, want 0.135", share)
	}
}

// Another distribution does not change starts or destinations; half the gap keeps the destinations and halves the
// starts.
func TestStreamsArePartedByPurpose(t *testing.T) {
	base := poisson("p", named(t, "web-search"), 10*unit.Microsecond).flows(1)
	sizes := poisson("p", named(t, "ali-storage"), 10*unit.Microsecond).flows(1)
	if len(base) != len(sizes) {
		t.Fatalf("%d and %d flows", len(base), len(sizes))
	}
	same := 0
	for i := range base {
		if base[i].Start != sizes[i].Start || base[i].Dst != sizes[i].Dst {
			t.Fatalf("%s moved to %s at %v", base[i].Name, sizes[i].Name, sizes[i].Start)
		}
		if base[i].Size == sizes[i].Size {
			same++
		}
	}
	if same > len(base)/10 {
		t.Errorf("%d of %d sizes are the same", same, len(base))
	}
	dense := poisson("p", named(t, "web-search"), 5*unit.Microsecond).flows(1)
	for i := range 100 { // of host 0
		if dense[i].Dst != base[i].Dst || math.Abs(float64(2*dense[i].Start-base[i].Start)) > float64(2*i+2) {
			t.Fatalf("%s at %v became %s at %v", base[i].Name, base[i].Start, dense[i].Name, dense[i].Start)
		}
	}
}

// Each event draws its own senders and receiver, each host once; a receiver
// that is given stays.
func TestDrawnIncast(t *testing.T) {
	e := Entry{
		Name:            "in",
		Kind:            Incast,
		Senders:         upTo(20),
		SendersPerEvent: 5,
		Flows:           1,
		Events:          40,
		Period:          unit.Millisecond,
		Size:            10,
	}
	flows := e.flows(1)
	if len(flows) != 200 || e.Count() != 200 {
		t.Fatalf("%d flows, Count %d; want 200", len(flows), e.Count())
	}
	receivers, senders := map[int]bool{}, map[int]bool{}
	for event := range 40 {
		seen := map[int]bool{}
		for _, f := range flows[5*event : 5*event+5] {
			if f.Src == f.Dst || seen[f.Src] || f.Dst != flows[5*event].Dst ||
				f.Start != unit.Time(event)*unit.Time(unit.Millisecond) || f.Ranks != 6 {
				t.Fatalf("event %d: %s at %v with %d ranks", event, f.Name, f.Start, f.Ranks)
			}
			seen[f.Src], senders[f.Src], receivers[f.Dst] = true, true, true
		}
	}
	if len(senders) != 20 || len(receivers) < 12 {
		t.Errorf("%d hosts send, %d receive", len(senders), len(receivers))
	}
	e.Receivers, e.Senders = []int{20}, upTo(20)
	for _, f := range e.flows(1) {
		if f.Dst != 20 || f.Src == 20 {
			t.Fatalf("%s", f.Name)
		}
	}
}

// 320 x 100 Gb/s x 0.02 x 10 ms / (8 x 60 x 500 KB) = 26.7 events; without the
// 8 there would be 213.
func TestEventsOfALoad(t *testing.T) {
	for load, want := range map[float64]int64{0.02: 27, 0.0255: 34, 0.0001: 0} {
		t.Run(fmt.Sprintf("load=%v", load), func(t *testing.T) {
			if got := Events(load, 320*100*unit.Gbps, 10*unit.Millisecond, 60*500e3); got != want {
				t.Errorf("a load of %g makes %d events, want %d", load, got, want)
			}
		})
	}
	// 8 x 120420.75 B / (0.3 x 100 Gb/s) = 32.1122 us
	if got := MeanGap(120_420.75, 0.3, 100*unit.Gbps); got != 32_112_200 {
		t.Errorf("a mean gap of %d ps, want 32112200", got)
	}
}
