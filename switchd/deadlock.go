package switchd

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/rocelab/rocelab/emulator/profile"
)

// Blocked is an egress queue that the peer pauses and that is not empty.
type Blocked struct {
	Port int
	// Class is a class of the queue that is paused.
	Class uint8
	// From are the ingress accounts that its frames came by, in order of port,
	// then class: their memory is not freed before the queue moves.
	From []Source
}

// Source is an ingress (port, class).
type Source struct {
	Port  int
	Class uint8
}

// Blocked lists the egress queues that are paused and not empty now, in order of port, then
// class. A queue that the watchdog freed is not among them.
func (s *Switch) Blocked() []Blocked {
	var list []Blocked
	for pi := range s.ports {
		p := &s.ports[pi]
		for rest := p.pauses.Held(); rest != 0; rest &= rest - 1 {
			c := uint8(bits.TrailingZeros8(rest))
			if qi := s.queueOf[c]; p.busy&p.blocked&(1<<qi) != 0 {
				list = append(list, Blocked{Port: pi, Class: c, From: sources(&p.queues[qi], len(s.ports))})
			}
		}
	}
	return list
}

// sources returns where the frames of a queue, in a switch of so many ports, came in.
func sources(queue *queue, ports int) (from []Source) {
	seen := make([][profile.Classes]bool, ports)
	for i := range queue.Len() {
		e := queue.At(i)
		seen[e.ingress][e.class] = true
	}
	for pi := range seen {
		for c, in := range seen[pi] {
			if in {
				from = append(from, Source{pi, uint8(c)})
			}
		}
	}
	return from
}

// QueueRef names an egress queue of a fabric by switch, port and class.
type QueueRef struct {
	Switch, Port int
	Class        uint8
}

// String returns "switch:port/class".
func (q QueueRef) String() string { return fmt.Sprintf("%d:%d/%d", q.Switch, q.Port, q.Class) }

func (q QueueRef) compare(other QueueRef) int {
	return cmp.Or(cmp.Compare(q.Switch, other.Switch), cmp.Compare(q.Port, other.Port), cmp.Compare(q.Class, other.Class))
}

// PortRef names a port of a fabric.
type PortRef struct{ Switch, Port int }

// Cycles finds cyclic buffer dependencies. blocked[i] is what Blocked of switch
// i returned, all at one instant; peer returns the port at the far end of a
// port's link, false if that is no switch.
//
// A blocked queue waits for the ingress (port, class) of the peer that paused
// it, which waits for every blocked queue of the peer that holds its frames. A
// cycle of such waits is a deadlock if nothing else frees the memory: one that
// is gone at the next look was none. Of each set of queues that wait for each
// other one cycle is returned, a shortest one through the least of them,
// beginning there; cycles come in the order of their first queues.
func Cycles(blocked [][]Blocked, peer func(PortRef) (PortRef, bool)) [][]QueueRef {
	graph := newWaitGraph(blocked, peer)
	var cycles [][]QueueRef
	done := make([]bool, len(graph.nodes))
	for n := range graph.nodes {
		if done[n] {
			continue
		}
		cycle := graph.shortest(n)
		if cycle == nil {
			continue
		}
		for m, before := range graph.search(n) {
			done[m] = done[m] || before >= 0 && graph.search(m)[n] >= 0
		}
		refs := make([]QueueRef, len(cycle))
		for i, m := range cycle {
			refs[i] = graph.nodes[m]
		}
		cycles = append(cycles, refs)
	}
	return cycles
}

// waitGraph is the graph of waiting: next[n] are the nodes that node n waits for, in
// order.
type waitGraph struct {
	nodes []QueueRef
	next  [][]int
}

func newWaitGraph(blocked [][]Blocked, peer func(PortRef) (PortRef, bool)) *waitGraph {
	graph := new(waitGraph)
	holds := make(map[QueueRef][]int) // blocked queues by the ingress that their frames came by
	for sw := range blocked {
		for i := range blocked[sw] {
			graph.nodes = append(graph.nodes, QueueRef{sw, blocked[sw][i].Port, blocked[sw][i].Class})
		}
	}
	slices.SortFunc(graph.nodes, QueueRef.compare)
	for sw := range blocked {
		for _, b := range blocked[sw] {
			n, _ := slices.BinarySearchFunc(graph.nodes, QueueRef{sw, b.Port, b.Class}, QueueRef.compare)
			for _, from := range b.From {
				in := QueueRef{sw, from.Port, from.Class}
				holds[in] = append(holds[in], n)
			}
		}
	}
	graph.next = make([][]int, len(graph.nodes))
	for n, q := range graph.nodes {
		if far, ok := peer(PortRef{q.Switch, q.Port}); ok {
			graph.next[n] = slices.Sorted(slices.Values(holds[QueueRef{far.Switch, far.Port, q.Class}]))
		}
	}
	return graph
}

// shortest returns a shortest cycle through n, nil if there is none, by
// breadth-first search.
func (g *waitGraph) shortest(n int) []int {
	from := g.search(n)
	if from[n] < 0 {
		return nil
	}
	cycle := []int{n}
	for m := from[n]; m != n; m = from[m] {
		cycle = append(cycle, m)
	}
	slices.Reverse(cycle[1:])
	return cycle
}

// search returns, for each node, the one before it on a shortest way of one or
// more waits from n; -1 where there is no way.
func (g *waitGraph) search(n int) []int {
	from := make([]int, len(g.nodes))
	for i := range from {
		from[i] = -1
	}
	for todo := []int{n}; len(todo) > 0; todo = todo[1:] {
		for _, m := range g.next[todo[0]] {
			if from[m] < 0 {
				from[m] = todo[0]
				todo = append(todo, m)
			}
		}
	}
	return from
}
