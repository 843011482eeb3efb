package topology

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var dci = Line{400 * unit.Gbps, 600 * unit.Microsecond}

func draftPair(joined bool) *TwoDC {
	return &TwoDC{
		Joined:   joined,
		Leaves:   16,
		Spines:   2,
		Servers:  4,
		NICs:     8,
		Uplinks:  1,
		DCILinks: 32,
		Line:     Line{50 * unit.Gbps, unit.Microsecond},
		Uplink:   Line{800 * unit.Gbps, unit.Microsecond},
		DCI:      dci,
	}
}

// rates sums the rates of a node's links to hosts, and to switches.
func rates(g *Graph, n plan.NodeID) (below, others unit.BitRate) {
	for port, l := range g.LinksOf(n) {
		if g.IsHost(g.Peer(n, port)) {
			below += g.Links[l].Forward.Rate
		} else {
			others += g.Links[l].Forward.Rate
		}
	}
	return below, others
}

// check compares a graph with the numbers in its description.
func check(t *testing.T, what string, g *Graph, switches, hosts, links, saidHosts, saidLinks int) {
	t.Helper()
	if len(g.Switches) != switches || len(g.Hosts) != hosts || len(g.Links) != links {
		t.Errorf("%s: %d switches, %d hosts, %d links; want %d, %d, %d",
			what, len(g.Switches), len(g.Hosts), len(g.Links), switches, hosts, links)
	}
	if saidHosts != hosts || saidLinks != links {
		t.Errorf("%s: Size says %d hosts and %d links", what, saidHosts, saidLinks)
	}
}

func find(t *testing.T, g *Graph, name string) plan.NodeID {
	t.Helper()
	for n := range len(g.Switches) + len(g.Hosts) {
		if g.Name(plan.NodeID(n)) == name {
			return plan.NodeID(n)
		}
	}
	t.Fatalf("there is no %s", name)
	return 0
}

// The pair of the draft: 2 x (2 spines, 16 leaves, 64 hosts of 8), 25.6 Tb/s
// between the spines, nothing oversubscribed.
func TestTwoDC(t *testing.T) {
	d := draftPair(false)
	g := d.Graph()
	hosts, links := d.Size()
	check(t, "two DCs", g, 36, 1024, 1024+2*16*2+2*32, hosts, links)
	for _, name := range []string{"a-leaf0", "a-leaf15", "b-leaf7"} {
		t.Run(name, func(t *testing.T) {
			if down, up := rates(g, find(t, g, name)); down != 1600*unit.Gbps || up != down {
				t.Errorf("%s has %v down and %v up", name, down, up)
			}
		})
	}
	for _, name := range []string{"a-spine0", "a-spine1", "b-spine1"} {
		t.Run(name, func(t *testing.T) {
			n := find(t, g, name)
			var far unit.BitRate
			for port, l := range g.LinksOf(n) {
				if peer := g.Name(g.Peer(n, port)); g.Links[l].Forward.Latency == dci.Latency {
					far += g.Links[l].Forward.Rate
					if peer[1:] != name[1:] || peer[0] == name[0] {
						t.Errorf("the DCI of %s ends at %s", name, peer)
					}
				}
			}
			if _, all := rates(g, n); far != 12800*unit.Gbps || all != 2*far {
				t.Errorf("%s has %v of DCI, %v in all", name, far, all)
			}
		})
	}
	r := g.Route()
	for _, c := range []struct {
		from, to string
		links    int
	}{{"a-h0", "a-h31", 2}, {"a-h0", "a-h511", 4}, {"a-h0", "b-h0", 5}, {"b-h511", "a-h17", 5}} {
		t.Run(c.to, func(t *testing.T) {
			src, dst := int(find(t, g, c.from))-36, int(find(t, g, c.to))-36
			path := r.Path(src, dst)
			if len(path) != c.links {
				t.Errorf("%s to %s takes %d links, want %d", c.from, c.to, len(path), c.links)
			}
		})
	}
	if got := [3]string{d.Server(0), d.Server(511), d.Server(512)}; got != [3]string{"a-server0", "a-server63",
		"b-server0"} {
		t.Errorf("servers are %v", got)
	}
}

// In one building: the same hosts and leaves, and no path longer than four links.
func TestTwoDCJoined(t *testing.T) {
	d, apart := draftPair(true), draftPair(false).Graph()
	g := d.Graph()
	hosts, links := d.Size()
	check(t, "joined", g, 34, 1024, 1024+2*16*2, hosts, links)
	for i, name := range apart.Hosts {
		if g.Hosts[i] != name {
			t.Fatalf("host %d is %s, want %s", i, g.Hosts[i], name)
		}
	}
	r := g.Route()
	for _, dst := range []int{511, 512, 1023} {
		t.Run(fmt.Sprintf("dst=%v", dst), func(t *testing.T) {
			if got := len(r.Path(0, dst)); got != 4 {
				t.Errorf("a-h0 to %s takes %d links", g.Hosts[dst], got)
			}
		})
	}
	if down, up := rates(g, find(t, g, "b-leaf3")); down != up {
		t.Errorf("b-leaf3 has %v down and %v up", down, up)
	}
	if _, all := rates(g, find(t, g, "spine1")); all != 25600*unit.Gbps {
		t.Errorf("spine1 carries %v", all)
	}
}

// The testbed of the PC4 paper: 256 NICs, and 128 ports of 100 Gb/s at each of
// two spines, which is their 12.8 Tb/s.
func TestRacks(t *testing.T) {
	p := &Racks{
		Double: 12,
		Single: 8,
		Spines: 2,
		NICs:   8,
		Line:   host,
		Uplink: host,
	}
	g := p.Graph()
	hosts, links := p.Size()
	check(t, "testbed", g, 22, 256, 512, hosts, links)
	for leaf := range 20 {
		down, up := rates(g, plan.NodeID(leaf))
		want := 1600 * unit.Gbps
		if leaf >= 12 {
			want /= 2
		}
		if down != want || up != want {
			t.Errorf("leaf%d has %v down and %v up, want %v", leaf, down, up, want)
		}
	}
	for _, spine := range []plan.NodeID{20, 21} {
		t.Run(fmt.Sprintf("spine=%v", spine), func(t *testing.T) {
			if g.Degree(spine) != 128 {
				t.Errorf("%s has %d ports", g.Name(spine), g.Degree(spine))
			}
		})
	}
}

// The fabric of the thesis: 320 hosts, 56 switches, 480 links. Two ToRs of a
// pod are joined over 4 switches, two pods over 16 cores.
func TestPods(t *testing.T) {
	p := &Pods{
		Pods:   5,
		ToRs:   4,
		Aggs:   4,
		Hosts:  16,
		Cores:  4,
		Line:   host,
		Uplink: core,
		Core:   core,
	}
	g := p.Graph()
	hosts, links := p.Size()
	check(t, "pods", g, 56, 320, 480, hosts, links)
	for c := range 16 {
		if n := plan.NodeID(40 + c); g.Degree(n) != 5 || g.Name(n)[:4] != "core" {
			t.Errorf("%s has %d ports", g.Name(n), g.Degree(n))
		}
	}
	r := g.Route()
	for dst, want := range map[int]int{15: 2, 16: 4, 63: 4, 64: 6, 319: 6} {
		t.Run(fmt.Sprintf("dst=%v", dst), func(t *testing.T) {
			if got := len(r.Path(0, dst)); got != want {
				t.Errorf("h0 to h%d takes %d links, want %d", dst, got, want)
			}
		})
	}
	routes, sets := r.Tables(0)
	if n := len(sets[routes[319]]); n != 4 {
		t.Errorf("tor0 has %d ways to another pod", n)
	}
	routes, sets = r.Tables(4)
	if n := len(sets[routes[319]]); n != 4 {
		t.Errorf("agg0 has %d ways to another pod", n)
	}
}

func smallPair(joined bool) *TwoDC {
	return &TwoDC{
		Joined:   joined,
		Leaves:   3,
		Spines:   2,
		Servers:  2,
		NICs:     1,
		Uplinks:  2,
		DCILinks: 2,
		Line:     host,
		Uplink:   core,
		DCI:      dci,
	}
}
