package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Await is an event that must have happened at this NIC: Count messages of the flow behind a QP are complete here,
// which means received whole and in order if the NIC receives the flow, and acknowledged if it sends it. With QP 0,
// which flows never have, Count phases of the rank have ended. A NIC does not learn of anything else: messages are the
// only barrier between NICs.
type Await struct {
	QP    uint32
	Count int64
}

// Phase is a step of a rank other than a message, such as the computation before a collective operation. It begins when
// the phase before it has ended and all of After has happened, and takes Duration; with 0 it only gathers its
// dependencies.
type Phase struct {
	After    []Await
	Duration unit.Duration
}

// RankConfig is the part of a job that runs at this NIC: phases, one after the
// other, from Start on. Flows that belong to it wait for its phases and for
// each other's messages.
type RankConfig struct {
	// Name is the job's, for messages.
	Name   string
	Start  unit.Time
	Phases []Phase
}

// rank is a rank under way. Its waiter is its next phase.
type rank struct {
	RankConfig
	index  uint32 // in NIC.ranks
	waiter waiter
	ended  []unit.Time // when each phase did
	by     []int32     // see record.Phases; one more than ended while a phase is under way
	// waiters are blocked on the end of a phase.
	waiters waitList
}

// waiter is the next message of a flow or the next phase of a rank, blocked on
// the first of its Awaits that has not happened. It belongs to a sender or
// to a rank, the one that is set; awaited is the rank whose phases it waits for.
type waiter struct {
	next    *waiter // in a list
	sender  *sender
	rank    *rank
	awaited *rank
	after   []Await
	met     int
	// until is the packet, or the number of phases, at which the Await that blocks it has happened.
	until int64
}

// waitList are the waiters blocked on one QP or rank, in the order in which they came.
type waitList struct{ head, tail *waiter }

func (l *waitList) push(waiter *waiter) {
	if l.head == nil {
		l.head = waiter
	} else {
		l.tail.next = waiter
	}
	l.tail, waiter.next = waiter, nil
}

// AddRank adds a rank; flows name it by its index in the order of adding. Add it after all flow ends of the NIC. The
// error names the fault and the allowed values.
func (n *NIC) AddRank(config RankConfig) error {
	rouse(n)
	if config.Start < 0 {
		return fmt.Errorf("NIC %s: %s: start is %v, allowed is 0 and later", n.name, config.Name, config.Start)
	}
	for i := range config.Phases {
		if config.Phases[i].Duration < 0 {
			return fmt.Errorf("NIC %s: %s: phase %d takes %v, allowed is 0 and more",
				n.name, config.Name, i, config.Phases[i].Duration)
		}
		if err := checkAwaits(n.qps, config.Phases[i].After, int64(i)); err != nil {
			return fmt.Errorf("NIC %s: %s: phase %d: %w", n.name, config.Name, i, err)
		}
	}
	index := len(n.ranks)
	added := &rank{RankConfig: config, index: uint32(index), ended: make([]unit.Time, 0, len(config.Phases)),
		by: make([]int32, 0, len(config.Phases))}
	added.waiter = waiter{rank: added, awaited: added}
	for i := range n.qps {
		flow := n.qps[i].send()
		if flow == nil || !flow.messages.wait() || flow.messages.rank != index {
			continue
		}
		for m, after := range flow.messages.after {
			if err := checkAwaits(n.qps, after, int64(len(config.Phases))); err != nil {
				return n.flowError(flow.identity.name, fmt.Errorf("message %d: %w", m, err))
			}
		}
		flow.messages.waiter.awaited = added
	}
	n.ranks = append(n.ranks, added)
	n.queue.Schedule(config.Start, event.Timer, 0, timerArg(jobRankStart, uint32(index)))
	return nil
}

// checkAwaits refuses what can never happen: of the rank, up to phases may be
// waited for.
func checkAwaits(qps []qp, after []Await, phases int64) error {
	for _, await := range after {
		most, what := phases, "phases of the rank"
		if await.QP != 0 {
			i := await.QP - FirstQP
			if uint64(i) >= uint64(len(qps)) {
				return fmt.Errorf("it waits for QP %#x, which this NIC does not have", await.QP)
			}
			what = fmt.Sprintf("messages of QP %#x", await.QP)
			if layout := qps[i].layout(); layout.size > 0 {
				most = int64((layout.size + layout.message - 1) / layout.message)
			} else {
				most = 1<<63 - 1
			}
		}
		if await.Count < 1 || await.Count > most {
			return fmt.Errorf("it waits for %d %s, allowed is 1 to %d", await.Count, what, most)
		}
	}
	return nil
}

// layout returns the layout of the flow behind the QP, at either end.
func (e *qp) layout() *layout {
	if flow := e.send(); flow != nil {
		return &flow.reliability.layout
	}
	return &e.recv().layout
}

// Phases returns the phases of a rank that ended.
func (n *NIC) Phases(rank int) record.Phases {
	ended := n.ranks[rank].ended
	return record.Phases{Ended: ended, By: n.ranks[rank].by[:len(ended)]}
}

// startRank starts a rank, and lets the first messages of its flows wait or leave.
func (n *NIC) startRank(index int, now unit.Time) {
	rank := n.ranks[index]
	for i := range n.qps {
		if flow := n.qps[i].send(); flow != nil && flow.messages.rank == index && flow.messages.await(0) {
			n.proceed(&flow.messages.waiter, now)
		}
	}
	n.nextPhase(rank, now)
}

// nextPhase lets the phase after the ended ones wait or begin.
func (n *NIC) nextPhase(rank *rank, now unit.Time) {
	if i := len(rank.ended); i < len(rank.Phases) {
		rank.waiter.after, rank.waiter.met = rank.Phases[i].After, 0
		n.proceed(&rank.waiter, now)
	}
}

// proceed moves a waiter past each Await that has happened and blocks it on the
// first that has not; after the last one its message or phase goes on.
func (n *NIC) proceed(waiter *waiter, now unit.Time) {
	by := waiter.met - 1 // what has happened just now
	for ; waiter.met < len(waiter.after); waiter.met++ {
		a := waiter.after[waiter.met]
		at, list := int64(len(waiter.awaited.ended)), &waiter.awaited.waiters
		waiter.until = a.Count
		if a.QP != 0 {
			e := &n.qps[a.QP-FirstQP]
			waiter.until *= e.layout().packetsPerMessage
			if flow := e.send(); flow != nil {
				at, list = flow.reliability.una, &flow.waiters
			} else {
				flow := e.recv()
				at, list = flow.sequence.expected, &flow.waiters
			}
		}
		if at < waiter.until {
			list.push(waiter)
			return
		}
	}
	switch {
	case waiter.sender != nil:
		n.admit(waiter.sender, by, now)
	default:
		rank := waiter.rank
		rank.by = append(rank.by, int32(by))
		if d := rank.Phases[len(rank.ended)].Duration; d > 0 {
			n.queue.Schedule(now.Add(d), event.Timer, 0, timerArg(jobPhaseEnd, rank.index))
		} else {
			n.endPhase(rank, now)
		}
	}
}

// endPhase notes that the phase under way ended.
func (n *NIC) endPhase(rank *rank, now unit.Time) {
	rank.ended = append(rank.ended, now)
	n.wakeWaiters(&rank.waiters, int64(len(rank.ended)), now)
	n.nextPhase(rank, now)
}

// wakeWaiters lets the waiters proceed whose Await has happened with the progress at, in the order in which they came;
// the others stay.
func (n *NIC) wakeWaiters(list *waitList, at int64, now unit.Time) {
	waiter := list.head
	list.head = nil
	for waiter != nil {
		next := waiter.next
		if at < waiter.until {
			list.push(waiter)
		} else {
			waiter.met++
			n.proceed(waiter, now)
		}
		waiter = next
	}
}
