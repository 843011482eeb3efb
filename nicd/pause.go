package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// receivePause obeys a PFC frame, on every class or, without PFC, on none. The
// frame under way completes in any case.
func (n *NIC) receivePause(now unit.Time, frame *wire.Frame) {
	port := &n.port
	for rest := frame.ClassEnable; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		time := link.PauseTime(frame.Pause[c], n.attachment.Rx.Rate)
		switch port.pauses.Receive(c, time, now, &port.record.Class[c]) {
		case link.Held:
			n.arm(&port.expiry, port.pauses.Until(c), jobResume, 0)
		case link.Released:
			port.resume(c)
		}
	}
}

// expirePauses ends the pauses whose time is over and waits for the next.
func (n *NIC) expirePauses(now unit.Time) {
	port := &n.port
	if !port.expiry.Fired(now) {
		return
	}
	over, next := port.pauses.Expired(now)
	for ; over != 0; over &= over - 1 {
		c := uint8(bits.TrailingZeros8(over))
		port.pauses.Release(c, now, &port.record.Class[c])
		port.resume(c)
	}
	if next != unit.Never {
		n.arm(&port.expiry, next, jobResume, 0)
	}
}

// resume lets the QPs of a class whose pause is over join the ready list again,
// in the order in which they left it.
func (p *port) resume(class uint8) { p.ready.append(&p.held[class]) }
