package scenario

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// centre is a scenario of one topology.
func centre(t *testing.T, fabric string) *plan.Plan {
	t.Helper()
	return plansOf(t, "algorithm: dcqcn\ntraffic: [{kind: permutation, size: 1MB}]\ntopology: "+fabric+"\n")[0]
}

// lines counts the links of a plan by their rate and latency.
func lines(p *plan.Plan) map[topology.Line]int {
	m := map[topology.Line]int{}
	for _, l := range p.Links {
		m[topology.Line{Rate: l.Forward.Rate, Latency: l.Forward.Latency}]++
	}
	return m
}

func gbps(rate int, latency unit.Duration) topology.Line {
	return topology.Line{Rate: unit.BitRate(rate) * unit.Gbps, Latency: latency}
}

func TestGeneratorsOfPublishedFabrics(t *testing.T) {
	const us = unit.Microsecond
	for _, c := range []struct {
		fabric                   string
		switches, nics, nicsHeld int // nicsHeld by the first server
		server                   string
		lines                    map[topology.Line]int
	}{
		{"{kind: two-dc}", 36, 1024, 8, "a-server0",
			map[topology.Line]int{gbps(50, us): 1024, gbps(800, us): 64, gbps(400, us): 128}},
		{"{kind: two-dc, scale: 1/8}", 36, 128, 1, "a-h0",
			map[topology.Line]int{gbps(50, us): 128, gbps(100, us): 64, gbps(400, us): 16}},
		{"{kind: two-dc, scale: 1/64}", 12, 16, 1, "a-h0", map[topology.Line]int{gbps(50, us): 32, gbps(100, us): 8}},
		{"{kind: two-dc, scale: 1/64, sites: 1}", 10, 16, 1, "a-h0", map[topology.Line]int{gbps(50, us): 32}},
		{"{kind: two-dc, scale: 1/8, rate: 25Gbps, uplink_rate: 40Gbps, uplink_latency: 2us, dci_links: 1, " +
			"dci_rate: 100Gbps, dci_wan: {length: 1km, equipment: 65us}}", 36, 128, 1, "a-h0",
			map[topology.Line]int{gbps(25, us): 128, gbps(40, 2*us): 64, gbps(100, us): 4}},
		{"{kind: pc4-testbed}", 22, 256, 8, "server0", map[topology.Line]int{gbps(100, us): 512}},
		{"{kind: pc4-testbed, double_leaves: 1, single_leaves: 1, uplink_rate: 200Gbps}", 4, 24, 8, "server0",
			map[topology.Line]int{gbps(100, us): 24, gbps(200, us): 24}},
		{"{kind: hpcc-fat-tree}", 56, 320, 1, "h0", map[topology.Line]int{gbps(100, us): 320, gbps(400, us): 160}},
		{"{kind: hpcc-fat-tree, pods: 2, tors_per_pod: 2, aggs_per_pod: 2, hosts_per_tor: 2, cores_per_agg: 1, " +
			"rate: 25Gbps, uplink_rate: 50Gbps, core_rate: 75Gbps, core_latency: 3us, latency: 2us}",
			10, 8, 1, "h0",
			map[topology.Line]int{gbps(25, 2*us): 8, gbps(50, 2*us): 8, gbps(75, 3*us): 4}},
	} {
		t.Run(fmt.Sprintf("%.50q", c.fabric), func(t *testing.T) {
			p := centre(t, c.fabric)
			held := 0
			for i := range p.NICs {
				if p.NICs[i].Server == p.NICs[0].Server {
					held++
				}
			}
			if len(p.Switches) != c.switches || len(p.NICs) != c.nics || held != c.nicsHeld ||
				p.NICs[0].Server != c.server {
				t.Errorf("%s: %d switches, %d NICs, %d of them in %s; want %d, %d, %d in %s", c.fabric,
					len(p.Switches), len(p.NICs), held, p.NICs[0].Server, c.switches, c.nics, c.nicsHeld, c.server)
			}
			got := lines(p)
			for l, n := range c.lines {
				if got[l] != n {
					t.Errorf("%s: %d links of %v, want %d; it has %v", c.fabric, got[l], l, n, got)
				}
				delete(got, l)
			}
			if len(got) != 0 {
				t.Errorf("%s: links of %v beside the others", c.fabric, got)
			}
		})
	}
}

// Hosts of a cluster are picked by its prefix, and are the same hosts in one
// building.
func TestClustersAreNamed(t *testing.T) {
	plans := plansOf(t, `
algorithm: dcqcn
topology: {kind: two-dc, scale: 1/64}
traffic:
  - {name: across, from: a-*, to: b-h7, size: 1MB}
variants:
  - {name: two}
  - {name: one, topology: {sites: 1}}
`)
	for i, hops := range []int{5, 4} {
		t.Run(fmt.Sprintf("hops=%v", hops), func(t *testing.T) {
			p := plans[i]
			if len(p.Flows) != 8 {
				t.Fatalf("%s has %d flows, want 8", p.Name, len(p.Flows))
			}
			f := p.Flows[7]
			if f.Name != "across/a-h7-b-h7" || len(f.Path) != hops {
				t.Errorf("%s: %s takes %d links, want %d", p.Name, f.Name, len(f.Path), hops)
			}
		})
	}
	for _, c := range []struct {
		i    int
		want unit.Duration
	}{{0, 600 * unit.Microsecond}, {1, unit.Microsecond}} {
		t.Run(fmt.Sprintf("i=%v", c.i), func(t *testing.T) {
			longest := unit.Duration(0)
			for _, hop := range plans[c.i].Flows[0].Path {
				longest = max(longest, hop.Latency)
			}
			if longest != c.want {
				t.Errorf("%s: the longest link takes %v, want %v", plans[c.i].Name, longest, c.want)
			}
		})
	}
}

// The PC4 paper's base RTTs: 4 us in a rack, by propagation alone, 8 us between
// racks.
func TestTestbedPropagation(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
topology: {kind: pc4-testbed}
traffic:
  - {from: h0, to: h15, size: 1MB}
  - {from: h0, to: h16, size: 1MB}
`)[0]
	for i, want := range []unit.Duration{4 * unit.Microsecond, 8 * unit.Microsecond} {
		t.Run(fmt.Sprintf("want=%v", want), func(t *testing.T) {
			sum := unit.Duration(0)
			for _, path := range [][]unit.Duration{latencies(&p.Flows[i], false), latencies(&p.Flows[i], true)} {
				for _, l := range path {
					sum += l
				}
			}
			if sum != want {
				t.Errorf("%s: %v of propagation, want %v", p.Flows[i].Name, sum, want)
			}
		})
	}
}

func latencies(f *plan.Flow, back bool) (list []unit.Duration) {
	path := f.Path
	if back {
		path = f.Back
	}
	for _, c := range path {
		list = append(list, c.Latency)
	}
	return list
}

func TestLengthGivesLatency(t *testing.T) {
	p := plansOf(t, `
algorithm: dcqcn
switch: {pfc: {enabled: false}}
topology:
  nodes: [{name: a}, {name: b}, {name: s, kind: switch}, {name: t, kind: switch}]
  links:
    - {endpoints: [a, s], length: 20m}
    - {endpoints: [b, t]}
    - {endpoints: [s, t], length: 100km, equipment_delay: 65.5us, rate: 400Gbps}
    - {endpoints: [s, t], length: 0km, equipment_delay: 1us}
traffic: [{from: a, to: b, size: 1MB}]
`)[0]
	for i, want := range []unit.Duration{100 * unit.Nanosecond, unit.Microsecond, 565500 * unit.Nanosecond,
		unit.Microsecond} {
		if got := p.Links[i].Forward.Latency; got != want || p.Links[i].Backward.Latency != got {
			t.Errorf("link %d takes %v, want %v", i, got, want)
		}
	}
}
