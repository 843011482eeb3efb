package nicd

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// tell hands an event to the flow's algorithm and puts its decision into
// force at once; with the profile's DecisionDelay it posts the event instead.
// rtt is the sample by the NIC's timer; a signal with an echo on the wire makes it
// one by the NIC's clock.
func (n *NIC) tell(q *sender, kind cc.EventKind, now unit.Time, acked unit.Bytes, rtt unit.Duration) {
	if !q.running {
		return
	}
	clock := int64(0)
	if q.signal.clocked {
		clock = n.clock.ReadSender(now)
	}
	// Field by field: a literal would be made elsewhere and copied here.
	e := &q.scratch.event
	e.Kind, e.Now, e.Clock = kind, now, clock
	e.Acked, e.Inflight, e.Sent, e.RTT = acked, q.reliability.inflight(), q.sent, rtt
	if s := q.signal.signal; s != nil {
		s.fillEvent(e)
	}
	if e.RTT > 0 && kind != cc.EventCNP {
		q.rtt = e.RTT
	}
	q.record.Events++
	// The flow's first decision is part of setting it up.
	if n.profile.DecisionDelay > 0 && kind != cc.EventStart {
		n.post(q, e)
		return
	}
	before := q.decisions.latest
	q.algorithm.Handle(e, &q.decisions.latest)
	if q.decisions.unchanged(&before) {
		return
	}
	if c, ok := n.settle(q, &before, kind, now); ok {
		n.apply(q, &c, now)
	}
}

// tellFired tells of an event that a decision had asked for: fired is the
// wake-up that was in force. It counts as answered, unless the algorithm has
// asked for another one meanwhile.
func (n *NIC) tellFired(q *sender, kind cc.EventKind, now unit.Time, fired int64) {
	if n.profile.DecisionDelay > 0 {
		n.batch.fired = fired
	} else {
		q.decisions.latest.Clear(kind, fired)
	}
	n.tell(q, kind, now, 0, 0)
}

// settle returns what the flow's new decision, which differs from the one before,
// changes; ok is false for one that means nothing.
func (n *NIC) settle(q *sender, before *cc.Decision, kind cc.EventKind, now unit.Time) (c change, ok bool) {
	c, err := q.decisions.settle(before, kind, now, &q.record)
	if err != nil {
		n.blame(q, kind, now, err)
		return c, false
	}
	return c, true
}

// apply puts a decision into force.
func (n *NIC) apply(q *sender, c *change, now unit.Time) {
	if q.pacer.change(now, c.Rate, c.Gap) {
		q.record.Decided.Set(now, int64(c.Rate/unit.Mbps))
	}
	if q.decisions.apply(c) {
		n.arm(&q.wake, max(q.decisions.wakeAt, now), jobWake, q.index)
	}
	n.place(q, now)
}

// wake is the event behind Decision.WakeAt.
func (n *NIC) wake(q *sender, now unit.Time) {
	at := q.decisions.wakeAt
	switch {
	case !q.wake.Fired(now) || !q.running || at == 0:
	case at > now:
		n.arm(&q.wake, at, jobWake, q.index)
	default:
		n.tellFired(q, cc.EventTimer, now, int64(q.decisions.timerFired()))
	}
}
