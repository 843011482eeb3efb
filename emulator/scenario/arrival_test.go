package scenario

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/tier"
)

// The 320 hosts of the LSTM+PIDNN thesis, section 4.4.2: 10 ms of Facebook's
// sizes at a load of 30 %, which are 99 651 flows in the mean, and 34 incasts of
// 60 flows of 500 KB, a load of 2.55 %.
func TestThesisArrivals(t *testing.T) {
	tier.Everyday(t)
	for seed := range 2 {
		p := plansOf(t, fmt.Sprintf(`
seed: %d
algorithm: dcqcn
topology: {kind: hpcc-fat-tree}
traffic:
  - {name: background, load: 0.3, distribution: facebook-hadoop, until: 10ms}
  - {name: incast, kind: incast, draw: 60, size: 500KB, load: 0.0255, until: 10ms}
`, seed))[0]
		flows := map[string]int{}
		bytes := map[string]unit.Bytes{}
		receivers := map[int]bool{}
		for _, f := range p.Flows {
			flows[f.Group]++
			bytes[f.Group] += f.Size
			if f.Group == "incast" {
				receivers[f.Dst] = true
			}
			if f.Start >= unit.Time(10*unit.Millisecond) || f.Src == f.Dst {
				t.Fatalf("%s starts at %v", f.Name, f.Start)
			}
		}
		if n := flows["background"]; n < 99651*97/100 || n > 99651*103/100 {
			t.Errorf("seed %d: %d flows, want 99651 to 3 %%", seed, n)
		}
		capacity := float64((320 * 100 * unit.Gbps).BytesIn(10 * unit.Millisecond))
		// sizes differ so much that the sum of 10^5 has a standard deviation of 2 %
		if load := float64(bytes["background"]) / capacity; load < 0.28 || load > 0.32 {
			t.Errorf("seed %d: a load of %.4f, want 0.30", seed, load)
		}
		if flows["incast"] != 34*60 || float64(bytes["incast"])/capacity != 0.0255 {
			t.Errorf("seed %d: incasts have %d flows and a load of %.5f, want 2040 and 0.0255",
				seed, flows["incast"], float64(bytes["incast"])/capacity)
		}
		if len(receivers) < 25 {
			t.Errorf("seed %d: only %d hosts receive an incast", seed, len(receivers))
		}
	}
}

func TestRepeatedIncast(t *testing.T) {
	const us = unit.Time(unit.Microsecond)
	for _, c := range []struct {
		entry  string
		events int
		period unit.Time
	}{
		{"events: 3, period: 10us, size: 1KB", 3, 10 * us},
		{"period: 10us, until: 30us, size: 1KB", 3, 10 * us},
		{"period: 10us, until: 30001ns, size: 1KB", 4, 10 * us},
		{"size: 1KB", 1, 0},
		// 4 hosts of 100 Gb/s, 3 flows of 5 KB: 120 kbit at 40 Gb/s is an event each 3 us.
		{"load: 0.1, until: 30us, size: 5KB", 10, 3 * us},
	} {
		t.Run(c.entry, func(t *testing.T) {
			p := plansOf(t,
				"algorithm: dcqcn\ntopology: {kind: star, hosts: 4}\ntraffic: [{kind: incast, "+c.entry+"}]\n")[0]
			if len(p.Flows) != 3*c.events {
				t.Errorf("%s: %d flows, want %d", c.entry, len(p.Flows), 3*c.events)
				return
			}
			for i, f := range p.Flows {
				due := unit.Time(i/3) * c.period
				if f.Dst != 3 || f.Start < due || f.Start >= due+us {
					t.Errorf("%s: %s starts at %v, want %v", c.entry, f.Name, f.Start, due)
				}
			}
		})
	}
}

// A host with a slower link sends less; a distribution written out as points is the one that is drawn.
func TestLoadIsOfTheLine(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
topology:
  nodes: [{name: a}, {name: b}, {name: s, kind: switch}]
  links: [{endpoints: [a, s], rate: 100Gbps}, {endpoints: [b, s], rate: 25Gbps}]
traffic: [{load: 0.4, distribution: [[2KB, 100]]}]
run: {until: 10ms}
`)[0]
	sent := [2]unit.Bytes{}
	for _, f := range p.Flows {
		if f.Size != 2*unit.KB {
			t.Fatalf("%s has %v", f.Name, f.Size)
		}
		sent[f.Src] += f.Size
	}
	for i, rate := range []unit.BitRate{40 * unit.Gbps, 10 * unit.Gbps} {
		t.Run(fmt.Sprintf("rate=%v", rate), func(t *testing.T) {
			if got := unit.RateOf(sent[i], 10*unit.Millisecond); got < rate*95/100 || got > rate*105/100 {
				t.Errorf("host %d sends %v, want %v", i, got, rate)
			}
		})
	}
}
