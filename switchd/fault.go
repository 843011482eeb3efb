package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
)

// lost reports whether the frame that arrives with ev is lost on the link. Such a
// frame is counted in RxLost and in none of the other counters.
func (s *Switch) lost(port *port, ev *event.Event) bool {
	reason := port.faults.Lost(ev.Frame)
	if reason == 0 && s.incoming != nil {
		last := ev.At.Add(s.incoming[port.index].rest(port, ev.Frame))
		if last >= port.faults.NextChange() {
			reason = fabric.DropLinkDown // before its last bit
		}
	}
	if reason == 0 {
		return false
	}
	port.rec.RxLostFrames++
	port.rec.RxLostBytes += uint64(ev.Frame.Len())
	port.rec.PausesLost.Count(ev.Frame)
	s.out.Drop(ev.At, ev.Port, reason, ev.Frame)
	return true
}

// linkChange takes the link of a port down or up, and looks to the next
// change. In an outage nothing is started; the frame under way completes, and
// pauses go on running.
func (s *Switch) linkChange(port *port) {
	port.down = port.faults.Toggle()
	s.scheduleLinkChange(port)
	if !port.down {
		s.startIfFree(port)
	}
}

// scheduleLinkChange schedules the next change of a port's link.
func (s *Switch) scheduleLinkChange(port *port) {
	if port.faults == nil {
		return
	}
	if at := port.faults.NextChange(); at != unit.Never {
		s.events.Schedule(at, event.LinkChange, port.index, 0)
	}
}
