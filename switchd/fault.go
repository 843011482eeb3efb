package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
)

// lost reports whether the frame that arrives with e is lost on the link. Such a
// frame is counted in RxLost and in none of the other counters.
func (s *Switch) lost(p *port, e *event.Event) bool {
	reason := p.faults.Lost()
	if reason == 0 {
		return false
	}
	p.rec.RxLostFrames++
	p.rec.RxLostBytes += uint64(e.Frame.Len())
	p.rec.PausesLost.Count(e.Frame)
	s.out.Drop(e.At, e.Port, reason, e.Frame)
	return true
}

// linkChange takes the link of port p down or up, and looks to the next
// change. In an outage nothing is started; the frame under way completes, and
// pauses go on running.
func (s *Switch) linkChange(p *port) {
	p.down = p.faults.Toggle()
	s.awaitChange(p)
	if !p.down {
		s.startIfFree(p)
	}
}

// awaitChange schedules the next change of the link of port p.
func (s *Switch) awaitChange(p *port) {
	if p.faults == nil {
		return
	}
	if at := p.faults.Change(); at != unit.Never {
		s.events.Schedule(at, event.LinkChange, p.index, 0)
	}
}
