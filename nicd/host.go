package nicd

import (
	"fmt"

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
	e.Acked, e.Inflight, e.Sent, e.RTT = acked, q.inflight(), q.sent, rtt
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
	before := q.decided
	q.algorithm.Handle(e, &q.decided)
	if q.same(&before) {
		return
	}
	if c, ok := n.accepted(q, &before, kind, now); ok {
		n.apply(q, &c, now)
	}
}

// same reports whether the algorithm's decision is what it was before. It
// compares field by field: == would be a call.
func (q *sender) same(before *cc.Decision) bool {
	d := &q.decided
	return d.Rate == before.Rate && d.Window == before.Window && d.Gap == before.Gap && d.WakeAt == before.WakeAt &&
		d.WakeBytes == before.WakeBytes && (q.signals.OwnData == 0 || d.Own == before.Own)
}

// tellFired tells of an event that a decision had asked for: fired is the
// wake-up that was in force. It counts as answered, unless the algorithm has
// asked for another one meanwhile.
func (n *NIC) tellFired(q *sender, kind cc.EventKind, now unit.Time, fired int64) {
	if n.profile.DecisionDelay > 0 {
		n.fired = fired
	} else {
		q.decided.Clear(kind, fired)
	}
	n.tell(q, kind, now, 0, 0)
}

// change is a decision on its way into force. The wake-ups count only where
// this decision set them: one that fired meanwhile must not come back.
type change struct {
	cc.Decision
	wakeAt, wakeBytes bool
	// none says that the event changed nothing.
	none bool
}

// accepted checks and notes the flow's new decision, which differs from the one
// before, and returns what it changes.
func (n *NIC) accepted(q *sender, before *cc.Decision, kind cc.EventKind, now unit.Time) (c change, ok bool) {
	d := &q.decided
	if err := check(d, before, kind, now); err != nil {
		n.blame(q, kind, now, err)
		return c, false
	}
	d.Rate = min(d.Rate, n.tx.Rate())
	if d.Rate != before.Rate || d.Window != before.Window || d.Gap != before.Gap {
		q.noteDecision()
	}
	return change{*d, d.WakeAt != before.WakeAt, d.WakeBytes != before.WakeBytes, false}, true
}

// apply puts a decision into force.
func (n *NIC) apply(q *sender, c *change, now unit.Time) {
	d := &q.force
	repace := c.Rate != d.Rate || c.Gap != d.Gap
	d.Rate, d.Gap, d.Window, d.Own = c.Rate, c.Gap, c.Window, c.Own
	if repace {
		q.repace(n, now)
		q.record.Decided.Set(now, int64(d.Rate/unit.Mbps))
	}
	if c.wakeAt {
		if d.WakeAt = c.WakeAt; d.WakeAt != 0 {
			n.arm(&q.wakeTimer, max(d.WakeAt, now), jobWake, q.index)
		}
	}
	if c.wakeBytes {
		d.WakeBytes = c.WakeBytes
	}
	n.place(q, now)
}

// wake is the event behind Decision.WakeAt.
func (n *NIC) wake(q *sender, now unit.Time) {
	if !q.wakeTimer.Fired(now) || !q.running || q.force.WakeAt == 0 {
		return
	}
	at := q.force.WakeAt
	if at > now {
		n.arm(&q.wakeTimer, at, jobWake, q.index)
		return
	}
	q.force.WakeAt = 0
	n.tellFired(q, cc.EventTimer, now, int64(at))
}

// check refuses a decision that means nothing. before is what stood when the
// event came: with a decision delay its wake-up may lie in the past.
func check(d, before *cc.Decision, kind cc.EventKind, now unit.Time) error {
	switch {
	case d.Rate <= 0:
		return fmt.Errorf("rate %d b/s, allowed is above 0", int64(d.Rate))
	case d.Window < 0:
		return fmt.Errorf("window %d B, allowed is 0 (none) and more", int64(d.Window))
	case d.Gap < 0:
		return fmt.Errorf("gap %v, allowed is 0 (from the rate) and more", d.Gap)
	case d.WakeAt < 0 || d.WakeBytes < 0:
		return fmt.Errorf("next timer at %v or %d B, allowed is 0 (none) and more", d.WakeAt, int64(d.WakeBytes))
	case kind == cc.EventTimer && d.WakeAt != before.WakeAt && d.WakeAt != 0 && d.WakeAt <= now:
		return fmt.Errorf("next timer at %v in the timer event of %v, allowed is later: time would stand still", d.WakeAt, now)
	}
	return nil
}

// blame records a fault of the algorithm, and the flow stands still.
func (n *NIC) blame(q *sender, kind cc.EventKind, now unit.Time, err error) {
	q.running, q.faulty = false, true
	n.fail(q.name, q.algorithm, fmt.Errorf("%s answered the %v event at %v with %w", q.controller, kind, now, err))
}

// blameReceiver records a fault of a receiver's algorithm, which is not called
// any more.
func (n *NIC) blameReceiver(r *receiver, now unit.Time) {
	n.fail(r.name, r.algorithm, fmt.Errorf("%s answered a data packet at %v with base rate %d b/s, allowed is 0 (none) and more",
		r.controller, now, int64(r.feedback.BaseRate)))
	r.algorithm, r.feedback = nil, cc.Feedback{}
}

// fail keeps the NIC's first fault: why the algorithm broke down, if it did,
// else what it answered.
func (n *NIC) fail(flow string, algorithm any, answered error) {
	if n.fault != nil {
		return
	}
	n.fault = n.wrong(flow, answered)
	if f, ok := algorithm.(cc.Failing); ok && f.Err() != nil {
		n.fault = f.Err()
	}
}

// nameFlow tells an algorithm that may break down what its flow is called.
func nameFlow(algorithm any, name string) {
	if f, ok := algorithm.(cc.Failing); ok {
		f.NameFlow(name)
	}
}

// nameOf is how a fault names the algorithm: its String if it has one, else
// its type.
func nameOf(c cc.Controller) string {
	if s, ok := c.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", c)
}

// noteDecision counts a decision that differs from the one before.
func (q *sender) noteDecision() {
	r := &q.record
	rate := q.decided.Rate
	if r.Decisions == 0 {
		r.RateMin, r.RateMax = rate, rate
	}
	r.Decisions++
	r.RateMin, r.RateMax = min(r.RateMin, rate), max(r.RateMax, rate)
}
