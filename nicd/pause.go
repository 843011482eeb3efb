package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// receivePause obeys a PFC frame, on every class or, without PFC, on none. The
// frame under way completes in any case.
func (n *NIC) receivePause(now unit.Time, f *wire.Frame) {
	p := &n.port
	for rest := f.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		time := link.PauseTime(f.Pause[c], n.attachment.Rx.Rate)
		switch p.pauses.Receive(c, time, now, &p.record.Class[c]) {
		case link.Held:
			n.arm(&p.expiry, p.pauses.Until(c), jobResume, 0)
		case link.Released:
			p.resume(c)
		}
	}
}

// expirePauses ends the pauses whose time is over and waits for the next.
func (n *NIC) expirePauses(now unit.Time) {
	p := &n.port
	if !p.expiry.Fired(now) {
		return
	}
	over, next := p.pauses.Expired(now)
	for ; over != 0; over &= over - 1 {
		c := uint8(bits.TrailingZeros8(over))
		p.pauses.Release(c, now, &p.record.Class[c])
		p.resume(c)
	}
	if next != unit.Never {
		n.arm(&p.expiry, next, jobResume, 0)
	}
}

// resume lets the QPs of a class that is not held any more join the round again,
// in the order in which they left it.
func (p *port) resume(c uint8) { p.ready.append(&p.held[c]) }
