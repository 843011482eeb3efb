package nicd

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// quantum is the unit of a pause: 512 bit times of the link (IEEE 802.3,
// 31B.2, and 802.1Q, 36.1).
const quantum unit.Bytes = 512 / 8

// pause is what the peer holds back by PFC.
type pause struct {
	paused uint8 // a bit for each class that is held
	// until and since are the end and the beginning of a class's pause.
	until, since [profile.Classes]unit.Time
	// held are QPs whose turn came while their class was held.
	held  [profile.Classes]list
	timer timer
}

// pauseFrame applies a PFC frame: for each class whose bit is set its time
// replaces what remained, 0 ends the pause; the other classes keep their
// state. The frame under way completes in any case. A NIC without PFC counts
// what it does not obey.
func (n *NIC) pauseFrame(now unit.Time, f *wire.Frame) {
	p := &n.pause
	for c := range profile.Classes {
		if f.ClassEnable>>c&1 == 0 {
			continue
		}
		xoff := f.Pause[c] != 0
		if xoff {
			n.port.record.Class[c].ReceivedXOFF++
		} else {
			n.port.record.Class[c].ReceivedXON++
		}
		switch {
		case !n.profile.PFC:
			continue
		case !xoff:
			n.release(c, now)
			continue
		}
		p.until[c] = now.Add(n.attachment.Rx.Rate.SerialTime(unit.Bytes(f.Pause[c]) * quantum))
		if p.paused>>c&1 == 0 {
			p.paused |= 1 << c
			p.since[c] = now
		}
		n.arm(&p.timer, p.until[c], jobResume, 0)
	}
}

// resume ends the pauses that expire now and waits for the next.
func (n *NIC) resume(now unit.Time) {
	p := &n.pause
	if !p.timer.fired(now) {
		return
	}
	next := unit.Never
	for c := range profile.Classes {
		switch {
		case p.paused>>c&1 == 0:
		case p.until[c] <= now:
			n.release(c, now)
		default:
			next = min(next, p.until[c])
		}
	}
	if next != unit.Never {
		n.arm(&p.timer, next, jobResume, 0)
	}
}

// release ends the pause of a class: its QPs join the round again in the
// order in which they left it.
func (n *NIC) release(c int, now unit.Time) {
	p := &n.pause
	if p.paused>>c&1 == 0 {
		return
	}
	p.paused &^= 1 << c
	n.port.record.Class[c].Paused += now.Sub(p.since[c])
	n.port.ready.append(&p.held[c])
}
