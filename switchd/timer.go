package switchd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
)

// The timers, in bits 3 and up of an event's argument; the lower bits are the
// class or queue.
const (
	timerExpiry   = iota // a pause that we obey runs out
	timerRefresh         // a pause that we ask for is to be sent again
	timerWatch           // the watchdog's
	timerEligible        // the switch's latency is over for some frame
	timerProximal        // the next of several CNPs is due
)

// deadline is a timer that is moved often and reached seldom: moving it later
// costs no event, since the pending one re-arms itself when it comes early.
type deadline struct {
	// at is when the deadline is due, 0 for none; armed is when the event that
	// will look at it comes, 0 for none.
	at, armed unit.Time
}

// arm sets d to at.
func (s *Switch) arm(p *port, d *deadline, at unit.Time, timer uint64, index uint8) {
	d.at = at
	if d.armed == 0 || at < d.armed {
		d.armed = at
		s.events.Schedule(at, event.Timer, p.index, timer<<3|uint64(index))
	}
}

// due reports whether d, whose event e came, is due; it then stands at none.
func (s *Switch) due(p *port, d *deadline, e *event.Event) bool {
	if d.armed != e.At {
		return false
	}
	d.armed = 0
	if d.at == 0 {
		return false
	}
	if d.at > e.At {
		s.arm(p, d, d.at, e.Arg>>3, uint8(e.Arg&7))
		return false
	}
	d.at = 0
	return true
}
