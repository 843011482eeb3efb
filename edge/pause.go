package edge

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// receivePause takes note of a PFC frame from the link, and obeys it where the edge
// does. It reports whether it does.
func (e *Edge) receivePause(now unit.Time, frame *wire.Frame) (obeyed bool) {
	p := &e.port
	if !p.obeys {
		p.rec.PausesIn.Count(frame)
		return false
	}
	for rest := frame.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		time := link.PauseTime(frame.Pause[c], e.attachment.Rx.Rate)
		switch p.pauses.Receive(c, time, now, &p.rec.Class[c]) {
		case link.Held:
			e.awaitExpiry(p.pauses.Until(c))
		case link.Released:
			p.ready(now)
		}
	}
	return true
}

func (e *Edge) awaitExpiry(at unit.Time) {
	if e.port.expiry.Arm(at) {
		e.events.Schedule(at, event.Timer, linkPort, 0)
	}
}

// expirePauses ends the pauses whose time is over and waits for the next.
func (e *Edge) expirePauses(now unit.Time) {
	p := &e.port
	if !p.expiry.Fired(now) {
		return
	}
	over, next := p.pauses.Expired(now)
	for ; over != 0; over &= over - 1 {
		c := uint8(bits.TrailingZeros8(over))
		p.pauses.Release(c, now, &p.rec.Class[c])
		p.ready(now)
	}
	if next != unit.Never {
		e.awaitExpiry(next)
	}
}
