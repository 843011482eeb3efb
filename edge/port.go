package edge

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// port is the transmitting side.
type port struct {
	busyUntil unit.Time
	// txEndPending is set while a TxEnd is pending, which it is only if something waits; obeys is set if pauses are for
	// the NIC queue.
	txEndPending, obeys bool
	pauses              link.Pauses
	expiry              link.Timer
	// due is the time at which the link would be free, had each frame been put in when it came.
	due unit.Time

	wait      record.Histogram
	moved     uint64
	movedMost unit.Duration
	rec       record.Port
	// meter counts what the port does over time.
	meter *record.ActivityMeter
}

// meterAt returns the meter, turned to the bin of now.
func (p *port) meterAt(now unit.Time) *record.ActivityMeter {
	if now >= p.meter.End {
		p.meter.Close(now)
	}
	return p.meter
}

// ready notes that the link, or a class, was held until now: what waited is not late.
func (p *port) ready(now unit.Time) { p.due = max(p.due, now) }

// serve starts the next frame if the link is free, and sees to it that the port is
// served again when it is.
func (e *Edge) serve(now unit.Time) {
	p := &e.port
	if !e.queue.ready(p.pauses.Held()) {
		return
	}
	if p.busyUntil <= now {
		e.start(now)
		if !e.queue.ready(p.pauses.Held()) {
			return
		}
	}
	if !p.txEndPending {
		p.txEndPending = true
		e.events.Schedule(p.busyUntil, event.TxEnd, linkPort, 0)
	}
}

// start sends the next frame.
func (e *Edge) start(now unit.Time) {
	p := &e.port
	a, class := e.queue.pop(p.pauses.Held())
	length := a.frame.Len()
	serial := e.tx.TimeAt(now, length, a.frame)
	late := p.countMove(now, a.came, serial)
	if e.Started != nil && !a.made {
		e.Started(late)
	}
	meter := p.meterAt(now)
	meter.Sent += uint64(length)
	meter.Last = uint64(length)
	p.busyUntil = now.Add(serial)
	p.rec.TxFrames++
	p.rec.TxBytes += uint64(length)
	p.rec.Busy += serial
	if a.frame.IsPFC() {
		p.countPause(a.frame, length)
	} else {
		p.wait.Add(now.Sub(a.entered))
		queue := p.rec.Queues.Of(class)
		queue.Frames++
		queue.Bytes += uint64(length)
	}
	e.out.Emit(linkPort, e.attachment.Link, now, a.frame)
}

// countPause counts a pause of the device.
func (p *port) countPause(frame *wire.Frame, length unit.Bytes) {
	p.rec.TxPFCFrames++
	p.rec.TxPFCBytes += uint64(length)
	p.rec.PausesOut.Count(frame)
}

// countMove compares the start of a frame with that which it would have, had each frame
// been put in when it came.
func (p *port) countMove(now, came unit.Time, serial unit.Duration) (late unit.Duration) {
	start := max(came, p.due)
	p.due = start.Add(serial)
	if late = max(0, now.Sub(start)); late > 0 {
		p.moved++
		p.movedMost = max(p.movedMost, late)
	}
	return late
}
