package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
)

// The timers, in bits 3 and up of an event's argument; the lower bits are the
// class or queue.
const (
	timerExpiry   = iota // a pause that we obey runs out
	timerRefresh         // a pause that we ask for is to be sent again
	timerWatch           // the watchdog's
	timerEligible        // the switch's latency is over for some frame
	timerObserver        // the observer's
)

// arm sets d to at.
func (s *Switch) arm(p *port, d *link.Deadline, at unit.Time, timer uint64, index uint8) {
	if d.Set(at) {
		s.events.Schedule(at, event.Timer, p.index, timer<<3|uint64(index))
	}
}

// due reports whether d, whose event e came, is due; it then is no more.
func (s *Switch) due(p *port, d *link.Deadline, e *event.Event) bool {
	due, again := d.Reached(e.At)
	if again {
		s.events.Schedule(d.At(), event.Timer, p.index, e.Arg)
	}
	return due
}

// timer handles an event of a timer.
func (s *Switch) timer(p *port, e *event.Event) {
	i := uint8(e.Arg & 7)
	switch e.Arg >> 3 {
	case timerEligible:
		s.eligible()
	case timerObserver:
		s.observer.timer(*e)
	case timerExpiry:
		if s.due(p, &p.expiry[i], e) {
			s.unhold(p, i)
		}
	case timerRefresh:
		if s.due(p, &p.asker.refresh[i], e) && has(p.xoff, i) {
			s.announce(p, i)
		}
	case timerWatch:
		if s.due(p, &p.watchdog.due[i], e) {
			s.watch(p, i)
		}
	}
}
