package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// lost reports whether the frame that arrives with ev is lost on the link. Such a
// frame is counted in RxLost and in none of the other counters.
func (s *Switch) lost(port *port, ev *event.Event) bool {
	length := ev.Frame.Len()
	reason := port.faults.Lost(ev.Frame, port.startOf(ev.At, ev.Frame))
	if reason == 0 && s.incoming != nil {
		last := ev.At.Add(s.incoming[port.index].rest(port, ev.Frame, ev.At))
		if last >= port.faults.NextChange() {
			reason = fabric.DropLinkDown // before its last bit
			port.faults.CutShort(ev.Frame)
		}
	}
	if reason == 0 {
		return false
	}
	port.rec.RxLostFrames++
	port.rec.RxLostBytes += uint64(length)
	port.rec.PausesLost.Count(ev.Frame)
	s.out.Drop(ev.At, ev.Port, reason, ev.Frame)
	return true
}

// changeBits are the bits of a kind of change in the argument of an event LinkChange.
const changeBits = 2

// The kinds of changes.
const (
	linkChanges  = iota // a port's link goes down or up
	portNotices         // a port that is late learns of it
	routesChange        // an epoch begins
	faultChanges        // a fault of the switch begins or ends: which, in the bits above changeBits
)

// changeAt handles an event LinkChange.
func changeAt(s *Switch, port *port, ev *event.Event) {
	switch ev.Arg & (1<<changeBits - 1) {
	case linkChanges:
		s.linkChange(port)
	case portNotices:
		down := port.faults.Notice()
		scheduleNotice(s, port)
		setDown(s, port, down)
	case routesChange:
		beginEpoch(s)
	case faultChanges:
		s.faults.Change(s, uint32(ev.Arg>>changeBits))
	}
}

// linkChange takes the link of a port down or up, and looks to the next change. A port that is not late knows at once;
// any other sends into the void until it learns of it.
func (s *Switch) linkChange(port *port) {
	down := port.faults.Toggle()
	scheduleLinkChange(s, port)
	if !port.faults.IsLate() {
		setDown(s, port, down)
	}
}

// setDown makes a port stop or go on.
func setDown(s *Switch, port *port, down bool) {
	if down {
		takeDown(s, port)
	} else {
		bringUp(s, port)
	}
}

// takeDown makes a port stop because its link is down. Its queues are flushed and their memory is freed, so that the
// ingresses of their frames may go on; frames for the port are dropped as long as it is down, as are the frames in the
// switch's latency when that is over. Only the frame in transmission completes, and is lost. The peer is cut off as
// well: its pauses end, and it is sent none.
func takeDown(s *Switch, port *port) {
	if held := port.pauses.End(s.now, &port.rec.Classes); held != 0 {
		port.hold(-bits.OnesCount8(held), s.now)
	}
	port.expiry.clearAll()
	port.watchdog.reset(port.storm, s.now)
	port.pfc.silence()
	port.down, port.storm, port.blocked, port.pfcPending = true, allQueues, 0, 0
	for qi := range port.queues {
		if has(port.busy, uint8(qi)) {
			clearQueue(s, port, uint8(qi), fabric.DropPortDown)
		}
	}
}

// allQueues is the set of all queues, as bits.
const allQueues = 1<<profile.Classes - 1

// bringUp lets a port go on. The peer has forgotten what it was asked to pause, and is asked again.
func bringUp(s *Switch, port *port) {
	port.pfc.silence()
	port.down, port.storm, port.pfcPending = false, 0, port.xoff
	s.startIfFree(port)
}

// scheduleLinkChange schedules the next change of a port's link.
func scheduleLinkChange(s *Switch, port *port) {
	if port.faults == nil {
		return
	}
	if at := port.faults.NextChange(); at != unit.Never {
		s.events.Schedule(at, event.LinkChange, port.index, linkChanges)
	}
}

// scheduleNotice schedules the next time at which a late port learns of a change of its link.
func scheduleNotice(s *Switch, port *port) {
	if port.faults == nil || !port.faults.IsLate() {
		return
	}
	if at := port.faults.NextNotice(); at != unit.Never {
		s.events.Schedule(at, event.LinkChange, port.index, portNotices)
	}
}

// changes are the changes of a switch that are known before the run.
type changes struct {
	epochs epochs
	faults faults
}

// faults are the faults of the switch itself.
type faults struct {
	*fault.Faults[*Switch]     // nil if it has none
	reboots                int // the number of reboots, which come first
}

// faultModels are the models of the faults of a switch. Each is beside what it changes.
var faultModels = fault.Models[*Switch]{rebootFault: rebootModel}

// startFaults gives a switch its faults: its reboots, then the others. It must come before all other events, so that
// each change is ahead of what the links do at its instant.
func startFaults(s *Switch, config *Config) {
	var list []fault.Planned
	for _, span := range config.Reboots {
		list = append(list, fault.Planned{Kind: rebootFault, From: span.From, To: span.To})
	}
	reboots := len(list)
	s.faults = faults{fault.New(s, faultModels, append(list, config.Faults...)), reboots}
	s.faults.Schedule(func(at unit.Time, change uint32) {
		s.events.Schedule(at, event.LinkChange, 0, uint64(change)<<changeBits|faultChanges)
	})
}

// FaultsMet returns what met each of Config.Faults, nil if it has none.
func (s *Switch) FaultsMet() []fault.Met { return s.faults.Met(s.faults.reboots) }
