package nicd

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// notifyAlgorithm hands an event to the flow's algorithm and puts its decision into
// force at once; with the profile's DecisionDelay it posts the event instead.
// rtt is the sample by the NIC's timer; a signal with an echo on the wire makes it
// one by the NIC's clock.
func (n *NIC) notifyAlgorithm(flow *sender, kind cc.EventKind, now unit.Time, acked unit.Bytes, rtt unit.Duration) {
	if !flow.running {
		return
	}
	clock := int64(0)
	if flow.signal.clocked {
		clock = n.clock.ReadSender(now)
	}
	// Field by field: a literal would be made elsewhere and copied here.
	event := &flow.scratch.event
	event.Kind, event.Now, event.Clock = kind, now, clock
	event.Acked, event.Inflight, event.Sent, event.RTT = acked, flow.reliability.inflight(), flow.sent, rtt
	if s := flow.signal.signal; s != nil {
		s.fillEvent(event)
	}
	if d := &flow.signal.details; d.asked {
		d.fill(event, &flow.reliability)
	}
	if event.RTT > 0 && kind != cc.EventCNP {
		flow.rtt = event.RTT
	}
	flow.record.Events++
	if flow.hears(event) {
		flow.record.Told++
	}
	// The flow's first decision is part of setting it up.
	if n.profile.DecisionDelay > 0 && kind != cc.EventStart {
		n.post(flow, event)
		return
	}
	before := flow.decisions.latest
	flow.handle(n, event)
	if flow.decisions.unchanged(&before) {
		return
	}
	if change, ok := n.settle(flow, &before, kind, now); ok {
		n.apply(flow, &change, now)
	}
}

// notifyFired hands over an event that a decision had asked for: fired is the
// wake-up that was in force. It counts as answered, unless the algorithm has
// asked for another one meanwhile.
func (n *NIC) notifyFired(flow *sender, kind cc.EventKind, now unit.Time, fired int64) {
	if n.profile.DecisionDelay > 0 {
		n.batch.fired = fired
	} else {
		hosting.Clear(&flow.decisions.latest, kind, fired)
	}
	n.notifyAlgorithm(flow, kind, now, 0, 0)
}

// settle returns the change that the flow's new decision makes to the one before, from which it differs; ok is false
// for an invalid decision.
func (n *NIC) settle(flow *sender, before *cc.Decision, kind cc.EventKind, now unit.Time) (change change, ok bool) {
	change, err := flow.decisions.settle(before, kind, now, &flow.record)
	if err != nil {
		n.recordFault(flow, kind, now, err)
		return change, false
	}
	return change, true
}

// apply puts a decision into force.
func (n *NIC) apply(flow *sender, change *change, now unit.Time) {
	flow.settle(now)
	if r := flow.decisions.restart; r != nil {
		r.bound(&change.Decision)
	}
	if flow.pacer.change(now, change.Rate, change.Gap) {
		flow.meter.Decide(change.Rate, now)
	}
	if flow.decisions.apply(change) {
		n.arm(&flow.timers.wake, max(flow.decisions.wakeAt, now), jobWake, flow.index)
	}
	n.reschedule(flow, now)
}

// wake is the event behind Decision.WakeAt.
func (n *NIC) wake(flow *sender, now unit.Time) {
	if flow == nil {
		return
	}
	fired := flow.timers.wake.Fired(now)
	switch {
	case !fired || !flow.running || flow.decisions.wakeAt == 0:
	case flow.decisions.wakeAt > now:
		n.arm(&flow.timers.wake, flow.decisions.wakeAt, jobWake, flow.index)
	default:
		n.notifyFired(flow, cc.EventTimer, now, int64(flow.decisions.timerFired()))
	}
}
