package topology

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var (
	host = Line{100 * unit.Gbps, unit.Microsecond}
	core = Line{400 * unit.Gbps, 2 * unit.Microsecond}
)

// Al-Fares et al., SIGCOMM 2008, section 3: k^3/4 hosts, 5k^2/4 switches,
// each with k ports, and as many links on each of the three levels as hosts.
func TestFatTreeCounts(t *testing.T) {
	for _, c := range []struct{ k, hosts, switches, links int }{{4, 16, 20, 48}, {8, 128, 80, 384},
		{16, 1024, 320, 3072}} {
		t.Run(fmt.Sprintf("k=%v", c.k), func(t *testing.T) {
			g := FatTree(c.k, host, core)
			if len(g.Hosts) != c.hosts || len(g.Switches) != c.switches || len(g.Links) != c.links {
				t.Errorf("k = %d: %d hosts, %d switches, %d links; want %d, %d, %d",
					c.k, len(g.Hosts), len(g.Switches), len(g.Links), c.hosts, c.switches, c.links)
			}
			for s := range g.Switches {
				if d := g.Degree(plan.NodeID(s)); d != c.k {
					t.Errorf("k = %d: %s has %d ports", c.k, g.Switches[s], d)
				}
			}
			if k := FatTreeFor(c.hosts); k != c.k {
				t.Errorf("FatTreeFor(%d) = %d, want %d", c.hosts, k, c.k)
			}
			if k := FatTreeFor(c.hosts + 1); k != c.k+2 {
				t.Errorf("FatTreeFor(%d) = %d, want %d", c.hosts+1, k, c.k+2)
			}
		})
	}
}

// In a k-ary fat tree an edge switch has k/2 next hops to another switch's
// hosts, an aggregation switch k/2 to another pod's, a core one; paths are 2,
// 4 and 6 links long.
func TestFatTreeRoutes(t *testing.T) {
	for _, k := range []int{4, 8, 16} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			g := FatTree(k, host, core)
			r := g.Route()
			half := k / 2
			last := len(g.Hosts) - 1
			for _, c := range []struct {
				at       string
				dst, num int
			}{{"edge0", 0, 1}, {"edge0", half, half}, {"edge0", last, half}, {"agg0", half, 1}, {"agg0",
				last, half}, {"core0", last, 1}, {"core0", 0, 1}} {
				s := slices.Index(g.Switches, c.at)
				routes, sets := r.Tables(plan.NodeID(s))
				if got := len(sets[routes[c.dst]]); got != c.num {
					t.Errorf("k = %d: %s has %d next hops to %s, want %d", k, c.at, got, g.Hosts[c.dst], c.num)
				}
			}
			for dst, links := range map[int]int{1: 2, half: 4, half * half: 6, last: 6} {
				if got := len(r.Path(0, dst)); got != links {
					t.Errorf("k = %d: path h0 to h%d has %d links, want %d", k, dst, got, links)
				}
			}
			// An edge switch has a set for each of its hosts and one for all the rest.
			if _, sets := r.Tables(0); len(sets) != half+1 {
				t.Errorf("k = %d: edge0 stores %d sets, want %d", k, len(sets), half+1)
			}
		})
	}
}

// graphs are fabrics of each generator, and odd ones.
func graphs(t *testing.T) map[string]*Graph {
	t.Helper()
	return map[string]*Graph{
		"star": Star(5, host), "dumbbell": Dumbbell(3, 2, host, core), "leaf-spine": LeafSpine(3, 2, 2, 2, host, core),
		"fat-tree": FatTree(4, host, core), "two-dc": smallPair(false).Graph(), "two-dc " +
			"joined": smallPair(true).Graph(), "racks": (&Racks{
			Double: 1,
			Single: 2,
			Spines: 2,
			NICs:   2,
			Line:   host,
			Uplink: core,
		}).Graph(),
		"pods": (&Pods{
			Pods:   3,
			ToRs:   2,
			Aggs:   2,
			Hosts:  2,
			Cores:  2,
			Line:   host,
			Uplink: core,
			Core:   core,
		}).Graph(), "ring": ring(t, 6), "odd ring": ring(t, 5), "torn": torn(t),
	}
}

// Every route of every generator is checked against distances found by an
// independent method, Floyd and Warshall's: a port is a next hop if and only
// if its far end is exactly one hop nearer.
func TestNextHopsAreAllShortest(t *testing.T) {
	for name, g := range graphs(t) {
		far := distances(g)
		r := g.Route()
		for s := range g.Switches {
			routes, sets := r.Tables(plan.NodeID(s))
			seen := map[string]bool{}
			for _, set := range sets {
				if key := fmt.Sprint(set); seen[key] {
					t.Errorf("%s: %s stores the set %v twice", name, g.Switches[s], set)
				} else {
					seen[key] = true
				}
			}
			for h := range g.Hosts {
				dst := g.Host(h)
				var want []uint16
				for p := range g.ports[s] {
					if d := far[g.Peer(plan.NodeID(s), p)][dst]; d < infinite && d == far[s][dst]-1 {
						want = append(want, uint16(p))
					}
				}
				if got := sets[routes[h]]; !slices.Equal(got, want) {
					t.Errorf("%s: %s to %s by ports %v, want %v", name, g.Switches[s], g.Hosts[h], got, want)
				}
			}
		}
		for a := range g.Hosts {
			for b := range g.Hosts {
				want := far[g.Host(a)][g.Host(b)]
				if want == infinite {
					want = 0
				}
				if got := len(r.Path(a, b)); got != want {
					t.Errorf("%s: path %s to %s has %d links, want %d", name, g.Hosts[a], g.Hosts[b], got, want)
				}
			}
		}
	}
}

func TestPathNamesChannels(t *testing.T) {
	r := LeafSpine(2, 2, 1, 1, host, core).Route()
	path := r.Path(0, 1)
	for i, want := range []Line{host, core, core, host} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			if path[i].Rate != want.Rate || path[i].Latency != want.Latency {
				t.Errorf("hop %d is %v, want %v", i, path[i], want)
			}
		})
	}
}

func TestWireRefuses(t *testing.T) {
	end := func(n, p int) plan.End { return plan.End{Node: plan.NodeID(n), Port: p} }
	for name, links := range map[string][]plan.Link{
		"used twice": {{A: end(1, 0), B: end(0, 0)}, {A: end(2, 0), B: end(0, 0)}},
		"gap":        {{A: end(1, 0), B: end(0, 1)}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Wire([]string{"s"}, []string{"a", "b"}, links); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}

func TestBackToBack(t *testing.T) {
	g := New(nil, names("h", 2))
	g.join(0, 1, host)
	if got := g.Route().Path(0, 1); len(got) != 1 {
		t.Errorf("path of two joined hosts has %d links, want 1", len(got))
	}
}

func ring(t *testing.T, n int) *Graph {
	t.Helper()
	g := New(names("s", n), names("h", n))
	for i := range n {
		g.join(g.Host(i), plan.NodeID(i), host)
	}
	for i := range n {
		g.join(plan.NodeID(i), plan.NodeID((i+1)%n), core)
	}
	return g
}

// torn has two halves without a link between them, and a host without any.
func torn(t *testing.T) *Graph {
	t.Helper()
	g := New(names("s", 4), names("h", 4))
	g.join(g.Host(0), 0, host)
	g.join(g.Host(1), 0, host)
	g.join(g.Host(2), 1, host)
	g.join(1, 2, core)
	g.join(2, 3, core)
	g.join(3, 1, core)
	return g
}

const infinite = 1 << 20

func distances(g *Graph) [][]int {
	n := len(g.ports)
	d := make([][]int, n)
	for i := range d {
		d[i] = make([]int, n)
		for j := range d[i] {
			if i != j {
				d[i][j] = infinite
			}
		}
	}
	for _, l := range g.Links {
		d[l.A.Node][l.B.Node], d[l.B.Node][l.A.Node] = 1, 1
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}
