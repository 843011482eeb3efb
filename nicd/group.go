package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// census counts the flows towards a NIC, by the controller's word and by what the
// NIC itself sees.
type census struct {
	// announced counts the flows of which the controller knows; version, from 1,
	// grows with each of its words.
	announced int
	version   uint64
	// active counts those that the NIC has itself seen, which it does where an
	// algorithm reads it.
	active int
}

// announce is the controller's word that a flow begins.
func (c *census) announce() {
	c.announced++
	c.version++
}

// withdraw is the controller's word that the flow ended.
func (c *census) withdraw(m *membership) {
	if !m.withdrawn {
		m.withdrawn = true
		c.announced--
		c.version++
	}
}

// enter counts the flow as active, leave does so no longer.
func (c *census) enter(m *membership) {
	m.active = true
	c.active++
}

func (c *census) leave(m *membership) {
	if m.active {
		m.active = false
		c.active--
	}
}

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
	// version is the census's at the last look, 0 before the first.
	version   uint64
	withdrawn bool

	active bool
	// seen is when the flow's last packet came, idle how long it may be silent.
	seen  unit.Time
	idle  unit.Duration
	timer link.Timer
}

// idleRTOs is how many RTO floors a flow may be silent by default.
const idleRTOs = 8

func newMembership(c *ReceiverConfig, p *profile.NIC) membership {
	m := membership{word: c.Group, fixed: c.GroupN, latency: c.ControllerLatency, idle: p.FlowIdle}
	if m.idle <= 0 {
		m.idle = idleRTOs * p.RTOFloor
	}
	return m
}

// look returns the controller's word on the group, and whether the flow's
// algorithm has not heard it. It is called with the flow's next packet: with
// thousands of flows a NIC that told all of them at each change would do little
// else.
func (m *membership) look(c *census) (word cc.Group, news bool) {
	if m.version == c.version {
		return m.word, false
	}
	flows := m.fixed
	if flows == 0 {
		flows = c.announced
	}
	news = m.version == 0 || flows != m.word.Flows
	m.word.Flows, m.version = flows, c.version
	return m.word, news
}

// silentAt is when the flow counts as idle unless a packet comes.
func (m *membership) silentAt() unit.Time { return m.seen.Add(m.idle) }

// lastByte notes that a sized flow is complete.
func (n *NIC) lastByte(r *receiver, now unit.Time) {
	n.census.leave(&r.group)
	if !r.group.withdrawn {
		n.queue.Schedule(now.Add(r.group.latency), event.Timer, 0, arg(jobWithdraw, r.index))
	}
}

// idle is the event that looks whether a flow fell silent.
func (n *NIC) idle(r *receiver, now unit.Time) {
	m := &r.group
	switch {
	case !m.timer.Fired(now) || !m.active:
	case now < m.silentAt():
		n.arm(&m.timer, m.silentAt(), jobIdle, r.index)
	default:
		n.census.leave(m)
	}
}
