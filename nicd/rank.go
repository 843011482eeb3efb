package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Await is something that must have happened at this NIC: Count messages of the
// flow behind a QP are complete here, which means received whole and in order
// where the NIC receives the flow, and acknowledged where it sends it. With QP
// 0, which is never a flow's, Count phases of the rank have ended. A NIC learns of nothing
// else: there is no barrier between NICs but messages.
type Await struct {
	QP    uint32
	Count int64
}

// Phase is a step of a rank that is no message, such as the computation before a
// collective operation. It begins when the phase before it has ended and all
// of After has happened, and takes Duration; with 0 it only gathers what it
// waits for.
type Phase struct {
	After    []Await
	Duration unit.Duration
}

// RankConfig is the part of a job that runs at this NIC: phases, one after the
// other, from Start on. Flows that belong to it wait for its phases and for
// each other's messages.
type RankConfig struct {
	// Name is that of the job, for messages.
	Name   string
	Start  unit.Time
	Phases []Phase
}

// rank is a rank under way. Its waiter is that of the next phase.
type rank struct {
	RankConfig
	place  uint32 // in NIC.ranks
	waiter waiter
	ended  []unit.Time // when each phase did
	// waiters are blocked on the end of a phase.
	waiters waitList
}

// waiter is the next message of a flow or the next phase of a rank, blocked on
// the first of its Awaits that has not happened. The one of sender and rank
// that it belongs to is set; of is the rank whose phases it waits for.
type waiter struct {
	next   *waiter // in a list
	sender *sender
	rank   *rank
	of     *rank
	after  []Await
	met    int
	// until is the packet, or the number of phases, at which the Await that
	// blocks it has happened.
	until int64
}

// waitList is what is blocked on one QP or rank, in the order in which it came.
type waitList struct{ head, tail *waiter }

func (l *waitList) push(w *waiter) {
	if l.head == nil {
		l.head = w
	} else {
		l.tail.next = w
	}
	l.tail, w.next = w, nil
}

// AddRank adds a rank; flows name it by its place among those added. Add it once
// all flow ends of the NIC stand. The error names what is wrong and what is
// allowed.
func (n *NIC) AddRank(c RankConfig) error {
	if c.Start < 0 {
		return fmt.Errorf("NIC %s: %s: start is %v, allowed is 0 and later", n.name, c.Name, c.Start)
	}
	for i := range c.Phases {
		if c.Phases[i].Duration < 0 {
			return fmt.Errorf("NIC %s: %s: phase %d takes %v, allowed is 0 and more", n.name, c.Name, i, c.Phases[i].Duration)
		}
		if err := checkAwaits(n.qps, c.Phases[i].After, int64(i)); err != nil {
			return fmt.Errorf("NIC %s: %s: phase %d: %w", n.name, c.Name, i, err)
		}
	}
	place := len(n.ranks)
	k := &rank{RankConfig: c, place: uint32(place), ended: make([]unit.Time, 0, len(c.Phases))}
	k.waiter = waiter{rank: k, of: k}
	for i := range n.qps {
		q := n.qps[i].send
		if q == nil || !q.messages.wait() || q.messages.rank != place {
			continue
		}
		for m, after := range q.messages.after {
			if err := checkAwaits(n.qps, after, int64(len(c.Phases))); err != nil {
				return n.wrong(q.identity.name, fmt.Errorf("message %d: %w", m, err))
			}
		}
		q.messages.waiter.of = k
	}
	n.ranks = append(n.ranks, k)
	n.queue.Schedule(c.Start, event.Timer, 0, arg(jobRank, uint32(place)))
	return nil
}

// checkAwaits refuses what can never happen: of the rank, up to phases may be
// waited for.
func checkAwaits(qps []qp, after []Await, phases int64) error {
	for _, a := range after {
		most, what := phases, "phases of the rank"
		if a.QP != 0 {
			i := a.QP - FirstQP
			if uint64(i) >= uint64(len(qps)) {
				return fmt.Errorf("it waits for QP %#x, which this NIC does not have", a.QP)
			}
			what = fmt.Sprintf("messages of QP %#x", a.QP)
			if l := qps[i].layout(); l.size > 0 {
				most = int64((l.size + l.message - 1) / l.message)
			} else {
				most = 1<<63 - 1
			}
		}
		if a.Count < 1 || a.Count > most {
			return fmt.Errorf("it waits for %d %s, allowed is 1 to %d", a.Count, what, most)
		}
	}
	return nil
}

// layout is how the flow behind the QP is cut, at either end.
func (e *qp) layout() *layout {
	if e.send != nil {
		return &e.send.reliability.layout
	}
	return &e.recv.layout
}

// PhaseEnds returns when each phase of a rank ended, for those that did.
func (n *NIC) PhaseEnds(rank int) []unit.Time { return n.ranks[rank].ended }

// begin starts a rank and looks at the first messages of its flows.
func (n *NIC) begin(place int, now unit.Time) {
	k := n.ranks[place]
	for i := range n.qps {
		if q := n.qps[i].send; q != nil && q.messages.rank == place && q.messages.look(0) {
			n.proceed(&q.messages.waiter, now)
		}
	}
	n.nextPhase(k, now)
}

// nextPhase looks at the phase after those that ended.
func (n *NIC) nextPhase(k *rank, now unit.Time) {
	if i := len(k.ended); i < len(k.Phases) {
		k.waiter.after, k.waiter.met = k.Phases[i].After, 0
		n.proceed(&k.waiter, now)
	}
}

// proceed takes w past all that has happened, and leaves it with the first that
// has not; with none, what waited goes on.
func (n *NIC) proceed(w *waiter, now unit.Time) {
	for ; w.met < len(w.after); w.met++ {
		a := w.after[w.met]
		at, list := int64(len(w.of.ended)), &w.of.waiters
		w.until = a.Count
		if a.QP != 0 {
			e := &n.qps[a.QP-FirstQP]
			w.until *= e.layout().perMessage
			if e.send != nil {
				at, list = e.send.reliability.una, &e.send.waiters
			} else {
				at, list = e.recv.sequence.expected, &e.recv.waiters
			}
		}
		if at < w.until {
			list.push(w)
			return
		}
	}
	switch {
	case w.sender != nil:
		n.admit(w.sender, now)
	case w.rank.Phases[len(w.rank.ended)].Duration == 0:
		n.endPhase(w.rank, now)
	default:
		k := w.rank
		n.queue.Schedule(now.Add(k.Phases[len(k.ended)].Duration), event.Timer, 0, arg(jobPhase, k.place))
	}
}

// endPhase notes that the phase under way ended.
func (n *NIC) endPhase(k *rank, now unit.Time) {
	k.ended = append(k.ended, now)
	n.wakeWaiters(&k.waiters, int64(len(k.ended)), now)
	n.nextPhase(k, now)
}

// wakeWaiters takes those on that the progress of what they are blocked on sets
// free, in the order in which they came; the others stay.
func (n *NIC) wakeWaiters(l *waitList, at int64, now unit.Time) {
	w := l.head
	l.head = nil
	for w != nil {
		next := w.next
		if at < w.until {
			l.push(w)
		} else {
			w.met++
			n.proceed(w, now)
		}
		w = next
	}
}
