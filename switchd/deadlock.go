package switchd

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Blocked is an egress queue that the peer pauses and that is not empty.
type Blocked struct {
	Port int
	// Class is a class of the queue that is paused.
	Class uint8
	// Since is the time at which the queue came to a standstill: the beginning of the pause, or the arrival of the
	// first waiting frame, if that was later. No frame has left it since.
	Since unit.Time
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
	var from []Source // of all queues, one after the other
	for pi := range s.ports {
		p := &s.ports[pi]
		for rest := p.pauses.Held(); rest != 0; rest &= rest - 1 {
			c := uint8(bits.TrailingZeros8(rest))
			qi := s.queueOf[c]
			if p.busy&p.blocked&(1<<qi) == 0 {
				continue
			}
			first := len(from)
			from = s.sources(p.queues[qi], from)
			list = append(list, Blocked{
				Port:  pi,
				Class: c,
				Since: s.stillSince(p, qi),
				From:  from[first:len(from):len(from)],
			})
		}
	}
	return list
}

// stillSince returns the start of a blocked queue's standstill.
func (s *Switch) stillSince(port *port, qi uint8) unit.Time {
	paused := unit.Never
	for rest := port.pauses.Held(); rest != 0; rest &= rest - 1 {
		if c := uint8(bits.TrailingZeros8(rest)); s.queueOf[c] == qi {
			paused = min(paused, port.pauses.Since(c))
		}
	}
	first := port.queues[qi].First()
	came := first.at
	if first.place != inNone {
		came = came.Add(s.pipeline.latency)
	}
	return max(paused, came)
}

// sources appends to from where the frames of a queue came in. Frames that no account
// counts are not among them.
func (s *Switch) sources(queue *queue, from []Source) []Source {
	if s.cameBy == nil {
		s.cameBy = make([]uint8, len(s.ports))
	}
	ports := s.cameFrom[:0]
	for i := range queue.Len() {
		e := queue.At(i)
		if e.place == inNone {
			continue
		}
		if s.cameBy[e.ingress] == 0 {
			ports = append(ports, e.ingress)
		}
		s.cameBy[e.ingress] |= 1 << e.class
	}
	slices.Sort(ports)
	for _, pi := range ports {
		for rest := s.cameBy[pi]; rest != 0; rest &= rest - 1 {
			from = append(from, Source{int(pi), uint8(bits.TrailingZeros8(rest))})
		}
		s.cameBy[pi] = 0
	}
	s.cameFrom = ports
	return from
}

// QueueRef names an egress queue of a fabric by switch, port and class.
type QueueRef struct {
	Switch, Port int
	Class        uint8
}

// String returns "switch:port/class".
func (q QueueRef) String() string { return fmt.Sprintf("%d:%d/%d", q.Switch, q.Port, q.Class) }

// In returns the queue's entry in what Blocked of its switch returned, which must have it.
func (q QueueRef) In(blocked []Blocked) *Blocked {
	i, _ := slices.BinarySearchFunc(blocked, q, func(b Blocked, q QueueRef) int {
		return cmp.Or(cmp.Compare(b.Port, q.Port), cmp.Compare(b.Class, q.Class))
	})
	return &blocked[i]
}

// PortRef names a port of a fabric.
type PortRef struct{ Switch, Port int }

// Cycles finds cyclic buffer dependencies. blocked[i] is the result of Blocked for switch i, all at one instant; peer
// returns the port at the far end of a port's link, false if that is not a switch's.
//
// A blocked queue waits for the ingress (port, class) of the peer that paused
// it, which waits for every blocked queue of the peer that holds its frames. A
// cycle of such waits is a deadlock if nothing else frees the memory: one with a queue
// that moves is not. Of each set of queues that wait for each
// other one cycle is returned, a shortest one through the least of them,
// beginning there; cycles come in the order of their first queues. The time that this takes
// is linear in the queues and the accounts that their frames came by.
func Cycles(blocked [][]Blocked, peer func(PortRef) (PortRef, bool)) [][]QueueRef {
	return newWaitGraph(blocked, peer).cycles()
}

func newWaitGraph(blocked [][]Blocked, peer func(PortRef) (PortRef, bool)) *waitGraph {
	graph, accounts := new(waitGraph), newAccounts(blocked)
	queues := 0
	for sw := range blocked {
		queues += len(blocked[sw])
	}
	graph.nodes = make([]QueueRef, 0, queues)
	for sw := range blocked {
		for i := range blocked[sw] {
			graph.nodes = append(graph.nodes, QueueRef{sw, blocked[sw][i].Port, blocked[sw][i].Class})
		}
	}
	graph.next = make([][]node, queues)
	for n, q := range graph.nodes {
		if far, ok := peer(PortRef{q.Switch, q.Port}); ok {
			graph.next[n] = accounts.holders(QueueRef{far.Switch, far.Port, q.Class})
		}
	}
	return graph
}

// accounts are the ingress (port, class) of all switches, each with the blocked queues that hold its frames. The
// accounts of a switch have numbers in the order of port and class.
type accounts struct {
	first []int // by switch, the number of its first account; the last one ends them
	start []int // by number, the index in list of its first queue; the last one ends them
	list  []node
}

func newAccounts(blocked [][]Blocked) *accounts {
	a := &accounts{first: make([]int, len(blocked)+1)}
	for sw := range blocked {
		ports := 0
		for i := range blocked[sw] {
			if from := blocked[sw][i].From; len(from) > 0 {
				ports = max(ports, from[len(from)-1].Port+1)
			}
		}
		a.first[sw+1] = a.first[sw] + ports*profile.Classes
	}
	// A counting sort: the queues of account k go to list[start[k]:start[k+1]].
	a.start = make([]int, a.first[len(blocked)]+2)
	ends := a.start[1:]
	a.each(blocked, func(_ node, account int) { ends[account+1]++ })
	for k := 1; k < len(ends); k++ {
		ends[k] += ends[k-1]
	}
	a.list = make([]node, ends[len(ends)-1])
	a.each(blocked, func(n node, account int) {
		a.list[ends[account]] = n
		ends[account]++
	})
	return a
}

// each yields what each node's frames came by, in the order of nodes.
func (a *accounts) each(blocked [][]Blocked, yield func(n node, account int)) {
	n := node(0)
	for sw := range blocked {
		for i := range blocked[sw] {
			for _, from := range blocked[sw][i].From {
				yield(n, a.first[sw]+from.Port*profile.Classes+int(from.Class))
			}
			n++
		}
	}
}

// holders returns the nodes that hold frames of an account, in order.
func (a *accounts) holders(in QueueRef) []node {
	k := a.first[in.Switch] + in.Port*profile.Classes + int(in.Class)
	if k >= a.first[in.Switch+1] {
		return nil
	}
	return a.list[a.start[k]:a.start[k+1]]
}
