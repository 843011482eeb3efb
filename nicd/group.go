package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// census counts the flows towards a NIC twice: as the controller announced them, and
// as the NIC itself sees them.
type census struct {
	// announced counts the flows that the controller knows; version, from 1, grows
	// with each of its announcements.
	announced int
	version   uint64
	// active counts the flows that the NIC itself sees sending, if an algorithm reads the count.
	active int
}

// announceFlow is the controller's announcement that a flow begins.
func (c *census) announceFlow() {
	c.announced++
	c.version++
}

// withdrawFlow is the controller's announcement that the flow ended.
func (c *census) withdrawFlow(member *membership) {
	if !member.withdrawn {
		member.withdrawn = true
		c.announced--
		c.version++
	}
}

// enter counts the flow as active, leave does so no longer.
func (c *census) enter(member *membership) {
	member.active = true
	c.active++
}

func (c *census) leave(member *membership) {
	if member.active {
		member.active = false
		c.active--
	}
}

// membership is a receiving flow's knowledge of the traffic towards its NIC.
//
// Two parties count. The cluster's controller announces each flow at its
// planned start, and of an end it learns from the receiver: its announcement is back
// ControllerLatency after the last byte. The NIC itself counts what it sees:
// a flow is active from its first data packet until its last has arrived, or
// until it was silent for profile.NIC.FlowIdle.
type membership struct {
	group   cc.Group // as last announced
	fixed   int      // GroupN
	latency unit.Duration
	// version is the census's at the last group update, 0 before the first.
	version   uint64
	withdrawn bool

	active bool
	// lastSeen is the arrival of the flow's last packet, idleTimeout the allowed silence.
	lastSeen    unit.Time
	idleTimeout unit.Duration
	timer       link.Timer
}

// idleRTOs is the default limit of a flow's silence, in RTO floors.
const idleRTOs = 8

func newMembership(config *ReceiverConfig, nic *profile.NIC) membership {
	member := membership{
		group:       config.Group,
		fixed:       config.GroupN,
		latency:     config.ControllerLatency,
		idleTimeout: nic.FlowIdle,
	}
	if member.idleTimeout <= 0 {
		member.idleTimeout = idleRTOs * nic.RTOFloor
	}
	return member
}

// groupUpdate returns the group as the controller announced it, and whether that is
// new to the flow's algorithm. It is called with the flow's next packet: with
// thousands of flows a NIC that updated all of them at each change would do little
// else.
func (m *membership) groupUpdate(census *census) (group cc.Group, changed bool) {
	if m.version == census.version {
		return m.group, false
	}
	flows := m.fixed
	if flows == 0 {
		flows = census.announced
	}
	changed = m.version == 0 || flows != m.group.Flows
	m.group.Flows, m.version = flows, census.version
	return m.group, changed
}

// idleAt returns the time at which the flow counts as idle unless a packet comes.
func (m *membership) idleAt() unit.Time { return m.lastSeen.Add(m.idleTimeout) }

// receivedAll notes that a sized flow is complete.
func (n *NIC) receivedAll(flow *receiver, now unit.Time) {
	n.census.leave(&flow.group)
	if !flow.group.withdrawn {
		n.queue.Schedule(now.Add(flow.group.latency), event.Timer, 0, timerArg(jobWithdrawFlow, flow.index))
	}
}

// checkIdle handles the event at which a flow may have fallen silent.
func (n *NIC) checkIdle(flow *receiver, now unit.Time) {
	if flow == nil {
		return
	}
	defer restReceiver(n, flow)
	member := &flow.group
	fired := member.timer.Fired(now)
	switch {
	case !fired || !member.active:
	case now < member.idleAt():
		n.arm(&member.timer, member.idleAt(), jobIdle, flow.index)
	default:
		n.census.leave(member)
	}
}
