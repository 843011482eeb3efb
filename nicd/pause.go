package nicd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// obedient is a NIC as one that obeys PFC: on every class or, without PFC, on none. The frame under way completes
// in any case.
type obedient NIC

var _ link.Obedient = (*obedient)(nil)

func (n *NIC) receivePause(now unit.Time, frame *wire.Frame) {
	p := &n.port
	before := p.pauses.Held()
	p.pauses.Obey(frame, n.rx.RateAt(now), now, &p.expiry, &p.record.Classes, (*obedient)(n))
	p.heldSince(before, now)
}

func (n *NIC) expirePauses(now unit.Time) {
	p := &n.port
	before := p.pauses.Held()
	p.pauses.Expire(now, &p.expiry, &p.record.Classes, (*obedient)(n))
	p.heldSince(before, now)
}

// heldSince records which classes are held from now on; before is the set of the classes that were held until now.
func (p *port) heldSince(before uint8, now unit.Time) {
	if before == p.pauses.Held() {
		return
	}
	p.accountQueued(now)
	if now >= p.meter.End {
		p.closeBin(now)
	}
	more := bits.OnesCount8(p.pauses.Held()) - bits.OnesCount8(before)
	p.meter.Hold(more, now)
	p.load.Hold(more, now)
}

// ScheduleExpiry implements link.Obedient.
func (o *obedient) ScheduleExpiry(at unit.Time) {
	o.queue.Schedule(at, event.Timer, 0, timerArg(jobResume, 0))
}

// Resume lets the QPs of a class join the ready list again, in the order in which they left it.
func (o *obedient) Resume(class uint8, _ unit.Time) { o.port.ready.append(&o.port.held[class]) }
