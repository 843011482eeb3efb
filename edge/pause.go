package edge

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// obedient is an edge as one that obeys the fabric's pauses for its host.
type obedient Edge

var _ link.Obedient = (*obedient)(nil)

// receivePause takes note of a PFC frame from the link, and obeys it where the edge
// does. It reports whether it does.
func (e *Edge) receivePause(now unit.Time, frame *wire.Frame) (obeyed bool) {
	p := &e.port
	if !p.obeys {
		p.rec.PausesIn.Count(frame)
		return false
	}
	before := p.pauses.Held()
	p.pauses.Obey(frame, e.rx.RateAt(now), now, &p.expiry, &p.rec.Classes, (*obedient)(e))
	p.countHeld(before, now)
	return true
}

func (e *Edge) expirePauses(now unit.Time) {
	p := &e.port
	before := p.pauses.Held()
	p.pauses.Expire(now, &p.expiry, &p.rec.Classes, (*obedient)(e))
	p.countHeld(before, now)
}

// endPauses ends all pauses, because the link is down.
func (e *Edge) endPauses(now unit.Time) {
	p := &e.port
	before := p.pauses.Held()
	p.pauses.LetGo(now, &p.rec.Classes, (*obedient)(e))
	p.countHeld(before, now)
}

// countHeld reports to the meter by how many classes more, or fewer, are held from now on than before; before is the
// set of the classes that were held.
func (p *port) countHeld(before uint8, now unit.Time) {
	p.meter.Hold(bits.OnesCount8(p.pauses.Held())-bits.OnesCount8(before), now)
}

// ScheduleExpiry implements link.Obedient.
func (o *obedient) ScheduleExpiry(at unit.Time) { o.events.Schedule(at, event.Timer, linkPort, 0) }

// Resume notes that what waited for the class is not late.
func (o *obedient) Resume(_ uint8, now unit.Time) { o.port.ready(now) }
