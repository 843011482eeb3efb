package topology

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

const ms = unit.Time(unit.Millisecond)

// converged is a graph with the tables of its switches, and what they do about losses.
type converged struct {
	*testing.T
	graph    *Graph
	routes   *Routes
	switches []plan.Switch
	effects  []Effect
}

func converge(t *testing.T, g *Graph, f *Failover, causes int) *converged {
	t.Helper()
	c := &converged{T: t, graph: g, routes: g.Route()}
	for i, name := range g.Switches {
		sw := plan.Switch{Name: name}
		sw.Routes, sw.NextHops = c.routes.Tables(plan.NodeID(i))
		c.switches = append(c.switches, sw)
		if len(f.Propagate) < len(g.Switches) {
			f.Propagate = append(f.Propagate, 50*unit.Microsecond)
		}
	}
	var err error
	if c.effects, err = c.routes.Converge(f, c.switches, causes); err != nil {
		t.Fatal(err)
	}
	return c
}

// tablesAt returns the sets that all switches have at an instant, by switch and host.
func (c *converged) tablesAt(at unit.Time) (tables [][][]uint16) {
	for i := range c.switches {
		sw := &c.switches[i]
		routes := slices.Clone(sw.Routes)
		for _, epoch := range sw.Epochs {
			if epoch.At > at {
				break
			}
			for _, r := range epoch.Changes {
				for host := r.First; host < r.First+r.Count; host++ {
					routes[host] = r.Set
				}
			}
		}
		var sets [][]uint16
		for _, r := range routes {
			sets = append(sets, sw.NextHops[r])
		}
		tables = append(tables, sets)
	}
	return tables
}

// instants returns the instants at which any table changes.
func (c *converged) instants() (list []unit.Time) {
	list = []unit.Time{0}
	for i := range c.switches {
		for _, epoch := range c.switches[i].Epochs {
			list = append(list, epoch.At)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// The states of a switch in a walk.
const (
	unknown = iota
	onTheWay
	arrives
	hole // some way from it ends at a switch without a set
)

// walk follows every way from a switch to a host, and reports whether all arrive. states has the known states of the
// switches for this host. A circle, or another host at the end of a way, is fatal.
func (c *converged) walk(tables [][][]uint16, node plan.NodeID, host int, states []int) bool {
	switch states[node] {
	case onTheWay:
		c.Fatalf("a frame for %s goes in circles at %s", c.graph.Hosts[host], c.graph.Name(node))
	case arrives, hole:
		return states[node] == arrives
	}
	states[node] = onTheWay
	set := tables[node][host]
	ok := len(set) > 0
	for _, port := range set {
		next := c.graph.Peer(node, int(port))
		switch {
		case next == c.graph.Host(host):
		case c.graph.IsHost(next):
			c.Fatalf("a frame for %s comes to %s", c.graph.Hosts[host], c.graph.Name(next))
		default:
			ok = c.walk(tables, next, host, states) && ok
		}
	}
	states[node] = hole
	if ok {
		states[node] = arrives
	}
	return ok
}

// random is a plan of links that go down.
type random struct {
	*rand.Rand
	graph  *Graph
	losses []Loss
	causes int
}

// newRandom takes one to five links of a fabric down, at most three times each, some of them for good.
func newRandom(seed uint64) *random {
	r := &random{Rand: rand.New(rand.NewPCG(seed, 35))}
	switch n := r.IntN(9); {
	case n == 0:
		r.graph = FatTree(6, host, core)
	case n < 5:
		r.graph = FatTree(4, host, core)
	default:
		r.graph = LeafSpine(4, 3, 1+r.IntN(2), 2, host, core)
	}
	var between []int
	for i, l := range r.graph.Links {
		if !r.graph.IsHost(l.A.Node) && !r.graph.IsHost(l.B.Node) {
			between = append(between, i)
		}
	}
	for range 1 + r.IntN(5) {
		number := between[r.IntN(len(between))]
		at := ms * unit.Time(1+r.IntN(3))
		for range 1 + r.IntN(3) {
			from := at + ms*unit.Time(r.IntN(1000))/1000
			to := from + ms*unit.Time(50+r.IntN(2000))/1000
			for end := range 2 {
				detect := ms * unit.Time(r.IntN(50)) / 1000
				r.losses = append(r.losses, Loss{
					Link:    number,
					End:     end,
					From:    from + detect,
					To:      to + ms*unit.Time(r.IntN(1000))/1000,
					Drained: r.IntN(5) == 0,
					Cause:   r.causes,
				})
			}
			r.causes++
			at = to
		}
	}
	return r
}

// In sixty random plans no frame ever goes in circles, or to another host. When the tables have settled for good, a
// frame that a switch has sent on arrives, and all tables are again those at the start.
func TestTablesNeverLoop(t *testing.T) {
	for seed := range uint64(60) {
		r := newRandom(seed)
		f := &Failover{Losses: r.losses, Weighted: seed%4 >= 2}
		if seed%2 == 1 {
			f.Buckets = 64
		}
		c := converge(t, r.graph, f, r.causes)
		start := c.tablesAt(-1)
		checkSubsets(c, start)
		instants := c.instants()
		if len(instants) < 2 {
			t.Fatalf("seed %d: no table changes", seed)
		}
		for i := 0; i < len(instants); i += 1 + len(instants)/30 { // thirty of them
			tables := c.tablesAt(instants[i])
			checkSubsets(c, tables)
			for host := range r.graph.Hosts {
				if host > 0 && c.routes.attach[host] == c.routes.attach[host-1] {
					continue
				}
				states := make([]int, len(c.switches))
				for node := range c.switches {
					c.walk(tables, plan.NodeID(node), host, states)
				}
			}
		}
		if !reflect.DeepEqual(c.tablesAt(instants[len(instants)-1]), start) {
			t.Errorf("seed %d: the tables after all losses are not those before", seed)
		}
	}
}

// checkSubsets checks that every set is one of shortest paths without faults.
func checkSubsets(c *converged, tables [][][]uint16) {
	for node, sets := range tables {
		for host, set := range sets {
			if host > 0 && c.routes.attach[host] == c.routes.attach[host-1] {
				continue
			}
			all := c.routes.nextHops(plan.NodeID(node), host)
			if c.routes.attach[host] == plan.NodeID(node) {
				all = []uint16{uint16(c.routes.downlink[host])}
			}
			for _, port := range set {
				if !slices.Contains(all, port) {
					c.Fatalf("%s sends for %s by port %d, which is not on a shortest path", c.graph.Switches[node],
						c.graph.Hosts[host], port)
				}
			}
		}
	}
}

// Once the tables have settled, with links that stay down, no frame that a switch has sent on meets a switch without a
// route.
func TestSettledTablesHaveNoHoles(t *testing.T) {
	for seed := range uint64(60) {
		r := newRandom(seed)
		for i := range r.losses {
			r.losses[i].To = unit.Never
		}
		c := converge(t, r.graph, &Failover{Losses: r.losses}, r.causes)
		instants := c.instants()
		tables := c.tablesAt(instants[len(instants)-1])
		for host := range r.graph.Hosts {
			states := make([]int, len(c.switches))
			for node := range c.switches {
				for _, port := range tables[node][host] {
					next := r.graph.Peer(plan.NodeID(node), int(port))
					if !r.graph.IsHost(next) && !c.walk(tables, next, host, states) {
						t.Fatalf("seed %d: a frame for %s that %s sent on meets a hole", seed, r.graph.Hosts[host],
							r.graph.Switches[node])
					}
				}
			}
		}
	}
}

// A switch that loses its last path to a destination is left out by its neighbours a hop's time after, by theirs one
// more after that: agg0 of a fat tree loses both of its cores at 1 ms, and gets them back at 3 ms.
func TestNewsGoesHopByHop(t *testing.T) {
	g := FatTree(4, host, core)
	f := &Failover{}
	for i, l := range g.Links {
		if name := g.LinkName(i); name == "agg0-core0" || name == "agg0-core1" {
			for end := range 2 {
				f.Losses = append(f.Losses, Loss{Link: i, End: end, From: ms, To: 3 * ms})
				f.Losses[len(f.Losses)-1].Cause = int(l.B.Node) % 2
			}
		}
	}
	for range g.Switches {
		f.Propagate = append(f.Propagate, 100*unit.Microsecond)
	}
	c := converge(t, g, f, 2)
	us := ms / 1000
	for name, want := range map[string][]unit.Time{
		"agg0":  {ms, 3 * ms},
		"core0": {ms, 3 * ms},
		"edge0": {ms + 100*us, 3*ms + 100*us},
		"agg2":  {ms + 100*us, 3*ms + 100*us},
		"edge2": {ms + 200*us, 3*ms + 200*us},
		"agg1":  nil,
		"core2": nil,
	} {
		t.Run(name, func(t *testing.T) {
			var got []unit.Time
			for _, epoch := range c.switches[slices.Index(g.Switches, name)].Epochs {
				got = append(got, epoch.At)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s changes its table at %v, want %v", name, got, want)
			}
		})
	}
	for i, effect := range c.effects {
		if effect.Settled != ms+200*us || effect.Returned != 3*ms+200*us {
			t.Errorf("link %d settles at %v and %v, want %v and %v", i, effect.Settled, effect.Returned, ms+200*us, 3*ms+200*us)
		}
	}
}

// A link that is drained is used as long as there is no other way, and the neighbours of a switch whose links all are
// leave it out: then it may go.
func TestDrainedLinksAreALastResort(t *testing.T) {
	g := LeafSpine(2, 2, 1, 1, host, core)
	f := &Failover{}
	spine := plan.NodeID(slices.Index(g.Switches, "spine0"))
	for i, l := range g.Links {
		if l.A.Node == spine || l.B.Node == spine {
			for end := range 2 {
				f.Losses = append(f.Losses, Loss{Link: i, End: end, From: ms, To: 3 * ms})
				f.Losses[len(f.Losses)-1].Drained = true
			}
		}
	}
	c := converge(t, g, f, 1)
	leaf := slices.Index(g.Switches, "leaf0")
	if tables := c.tablesAt(2 * ms); len(tables[spine][1]) != 1 || len(tables[leaf][1]) != 1 {
		t.Errorf("spine0 has %v, leaf0 %v to h1: want one way each", tables[spine][1], tables[leaf][1])
	} else if g.Peer(plan.NodeID(leaf), int(tables[leaf][1][0])) == spine {
		t.Error("leaf0 still sends by spine0")
	}
}
