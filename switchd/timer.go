package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The timers, in bits 3 and up of an event's argument; the lower bits are the
// class or queue.
const (
	timerExpiry   = iota // a pause that we obey begins or runs out
	timerRefresh         // a pause that we ask for is to be sent again
	timerWatch           // the watchdog's
	timerEligible        // the switch's latency is over for some frame
	timerObserver        // the observer's
	timerStored          // the last bit of a frame that was not cut through is here, and the latency over
)

// deadlines are deadlines by class or queue. They are made when one is first set: most ports never pause.
type deadlines struct {
	made *[profile.Classes]link.Deadline
}

// of returns a deadline to be set.
func (d *deadlines) of(index uint8) *link.Deadline {
	if d.made == nil {
		d.made = new([profile.Classes]link.Deadline)
	}
	return &d.made[index&7]
}

// pending reports whether something is due, and clear makes nothing due.
func (d *deadlines) pending(index uint8) bool { return d.made != nil && d.made[index&7].Pending() }

func (d *deadlines) clear(index uint8) {
	if d.made != nil {
		d.made[index&7].Clear()
	}
}

// clearAll makes nothing due at any index.
func (d *deadlines) clearAll() {
	for i := range uint8(profile.Classes) {
		d.clear(i)
	}
}

// arm sets a deadline to at.
func (s *Switch) arm(port *port, deadline *link.Deadline, at unit.Time, timer uint64, index uint8) {
	if deadline.Set(at) {
		s.events.Schedule(at, event.Timer, port.index, timer<<3|uint64(index))
	}
}

// due reports whether a deadline, whose event came, is due; it then is no more.
func (s *Switch) due(port *port, deadline *link.Deadline, ev *event.Event) bool {
	due, again := deadline.Reached(ev.At)
	if again {
		s.events.Schedule(deadline.At(), event.Timer, port.index, ev.Arg)
	}
	return due
}

// timer handles an event of a timer.
func (s *Switch) timer(port *port, ev *event.Event) {
	index := uint8(ev.Arg & 7)
	switch ev.Arg >> 3 {
	case timerEligible:
		s.enqueueEligible()
	case timerStored:
		d := s.incoming[port.index].stored.Pop()
		s.enqueueOrFlush(&d, s.enqueue)
	case timerObserver:
		s.observer.timer(*ev)
	case timerExpiry:
		if s.due(port, port.expiry.of(index), ev) {
			s.pauseDue(port, index)
		}
	case timerRefresh:
		if s.due(port, port.pfc.refresh.of(index), ev) && has(port.xoff, index) {
			s.queuePFC(port, index)
		}
	case timerWatch:
		if s.due(port, port.watchdog.due.of(index), ev) {
			s.watch(port, index)
		}
	}
}
