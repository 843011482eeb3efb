package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The arguments of an event LinkChange.
const (
	linkChanges = iota // the link goes down or up
	linkNoticed        // a NIC that is late learns of it
)

// awaitLinkChange schedules the next time at which the link goes down or up.
func (n *NIC) awaitLinkChange() {
	if f := n.port.faults; f != nil {
		if at := f.NextChange(); at != unit.Never {
			n.queue.Schedule(at, event.LinkChange, 0, linkChanges)
		}
	}
}

// awaitNotice schedules the next time at which a late NIC learns that its link is down or up.
func awaitNotice(n *NIC) {
	if f := n.port.faults; f != nil && f.IsLate() {
		if at := f.NextNotice(); at != unit.Never {
			n.queue.Schedule(at, event.LinkChange, 0, linkNoticed)
		}
	}
}

// changeLink takes the link down or up, or has a NIC that is late learn of it.
func changeLink(n *NIC, now unit.Time, what uint64) {
	f := n.port.faults
	if what == linkNoticed {
		down := f.Notice()
		awaitNotice(n)
		setDown(n, now, down)
		return
	}
	down := f.Toggle()
	n.awaitLinkChange()
	if !f.IsLate() {
		setDown(n, now, down)
	}
}

// setDown takes the port down or up. The QPs do not know: frames that the NIC sends meanwhile are lost, and their
// timers run. Pauses of the peer end with the link; a storm's pauses are sent again after it.
func setDown(n *NIC, now unit.Time, down bool) {
	p := &n.port
	p.down = down
	switch {
	case down:
		before := p.pauses.Held()
		p.pauses.LetGo(now, &p.record.Classes, (*obedient)(n))
		p.heldSince(before, now)
		p.pfcPending = 0
	case n.storm != nil:
		n.port.announce(n.storm.active(now))
	}
}

// ownFaults is the part of a NIC that has the faults of the NIC itself.
type ownFaults struct {
	// faults are nil if it has none.
	faults *fault.Faults[*NIC]
	// storm is nil unless the NIC has a storm, or pauses for its host.
	storm *storm
}

// faultModels are the models of the faults of a NIC. Each is beside what it changes.
var faultModels = fault.Models[*NIC]{pfcStorm: stormModel, "slow-host": slowHostModel}

// faultsOf returns the faults of a configuration: its storms, then the others.
func faultsOf(c *Config) (list []fault.Planned) {
	for _, s := range c.Profile.Storms {
		list = append(list, fault.Planned{Kind: pfcStorm, From: s.From, To: s.To, Class: s.Class})
	}
	return append(list, c.Faults...)
}

// FaultsMet returns what met each of Config.Faults, nil if it has none.
func (n *NIC) FaultsMet() []fault.Met { return n.faults.Met(len(n.profile.Storms)) }
