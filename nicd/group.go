package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// membership is what a receiving flow knows of the traffic towards its NIC.
//
// Two parties count. The cluster's controller announces each flow at its
// planned start, and of an end it learns from the receiver: its word is back
// ControllerLatency after the last byte. The NIC itself counts what it sees:
// a flow is active from its first data packet until its last has arrived, or
// until it was silent for profile.NIC.FlowIdle.
type membership struct {
	word    cc.Group // as last told
	fixed   int      // GroupN
	latency unit.Duration
	// version is the NIC's groupVersion at the last look, 0 before the first.
	version   uint64
	withdrawn bool

	active    bool
	seen      unit.Time
	idleTimer link.Timer
}

const idleRTOs = 8

func newMembership(c *ReceiverConfig) membership {
	return membership{word: c.Group, fixed: c.GroupN, latency: c.ControllerLatency}
}

// tellGroup passes the controller's word on to the flow's algorithm if it
// changed: lazily, with the flow's next packet, since with thousands of flows
// a NIC that told all of them at each change would do little else.
func (n *NIC) tellGroup(r *receiver) {
	g := &r.group
	flows := g.fixed
	if flows == 0 {
		flows = n.announced
	}
	if g.version == 0 || flows != g.word.Flows {
		g.word.Flows = flows
		r.algorithm.Group(g.word)
	}
	g.version = n.groupVersion
}

// announce counts a flow in or out.
func (n *NIC) announce(by int) {
	n.announced += by
	n.groupVersion++
}

// withdraw is the controller's word that the flow ended.
func (n *NIC) withdraw(r *receiver) {
	if !r.group.withdrawn {
		r.group.withdrawn = true
		n.announce(-1)
	}
}

// lastByte notes that a sized flow is complete.
func (n *NIC) lastByte(r *receiver, now unit.Time) {
	n.leave(r)
	if !r.group.withdrawn {
		n.queue.Schedule(now.Add(r.group.latency), event.Timer, 0, arg(jobWithdraw, r.index))
	}
}

// join counts the flow as active.
func (n *NIC) join(r *receiver, now unit.Time) {
	r.group.active = true
	n.active++
	n.arm(&r.group.idleTimer, now.Add(n.flowIdle()), jobIdle, r.index)
}

// flowIdle is how long a flow that counts may be silent.
func (n *NIC) flowIdle() unit.Duration {
	if n.profile.FlowIdle > 0 {
		return n.profile.FlowIdle
	}
	return idleRTOs * n.profile.RTOFloor
}

func (n *NIC) leave(r *receiver) {
	if r.group.active {
		r.group.active = false
		n.active--
	}
}

// idle is the event that looks whether a flow fell silent.
func (n *NIC) idle(r *receiver, now unit.Time) {
	g := &r.group
	if !g.idleTimer.Fired(now) || !g.active {
		return
	}
	if deadline := g.seen.Add(n.flowIdle()); now < deadline {
		n.arm(&g.idleTimer, deadline, jobIdle, r.index)
		return
	}
	n.leave(r)
}
