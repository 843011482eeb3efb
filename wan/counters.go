package wan

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// countReceived counts a frame that is in.
func (w *direction) countReceived(frame *wire.Frame, length unit.Bytes) {
	w.rec.RxFrames++
	w.rec.RxBytes += uint64(length)
	if frame.IsPFC() {
		w.rec.RxPFCFrames++
		w.rec.RxPFCBytes += uint64(length)
		w.rec.PausesIn.Count(frame)
	}
}

// countLost counts a frame that came in and does not leave: it was never received,
// as on a link.
func (w *direction) countLost(passage *passage) {
	w.rec.RxFrames--
	w.rec.RxBytes -= uint64(passage.length)
	if passage.frame.IsPFC() {
		w.rec.RxPFCFrames--
		w.rec.RxPFCBytes -= uint64(passage.length)
		w.rec.PausesIn.Own().Uncount(passage.frame)
		w.rec.PausesLost.Count(passage.frame)
	}
	w.rec.RxLostFrames++
	w.rec.RxLostBytes += uint64(passage.length)
}

// countSent counts a frame that the other direction sends at this port.
func (w *direction) countSent(passage *passage) {
	w.rec.TxFrames++
	w.rec.TxBytes += uint64(passage.length)
	if passage.frame.IsPFC() {
		w.rec.TxPFCFrames++
		w.rec.TxPFCBytes += uint64(passage.length)
		w.rec.PausesOut.Count(passage.frame)
	}
	if passage.exit >= w.meter.End {
		w.meter.Close(passage.exit)
	}
	w.meter.Sent += uint64(passage.length)
	w.meter.Last = uint64(passage.length)
	w.rec.Busy += passage.serial
	w.busyUntil = passage.exit.Add(passage.serial)
}

// Records returns what the two ports counted until end.
func (p *Path) Records(end unit.Time) [2]record.Port {
	var list [2]record.Port
	for i := range p.ways {
		w := &p.ways[i]
		list[i] = w.rec
		list[i].Busy -= max(0, w.busyUntil.Sub(end))
		list[i].Over = w.meter.Until(end, w.grid)
	}
	return list
}

// Tell adds the path's counts so far.
func (p *Path) Tell(t *record.Tally) {
	for i := range p.ways {
		t.AddPort(&p.ways[i].rec)
	}
}

// Held returns what the directions hold now and held at most.
func (p *Path) Held() (list [2]record.InTransit) {
	for i := range p.ways {
		w := &p.ways[i]
		list[i] = record.InTransit{
			Frames:   uint64(w.inside.Len()),
			Bytes:    uint64(w.insideBytes),
			BytesMax: w.insideBytesMax,
			Max:      w.insideTimeMax,
			Bound:    w.insideTimeBound,
		}
		for place := range w.inside.Len() {
			list[i].Pauses.Count(w.inside.At(place).frame)
		}
	}
	return list
}

// InFlight calls visit for each frame that was delivered and has not arrived.
func (p *Path) InFlight(visit func(port int, frame *wire.Frame)) { p.events.InFlight(visit) }

// Events returns how many events the path handled.
func (p *Path) Events() uint64 { return p.handled }

// CheckInvariants counts all frames inside and compares with the counters: what
// came in and is not lost is inside or was sent; frames leave one after the other; and
// no more is inside than rate times delay. It returns all differences. It is
// for tests.
func (p *Path) CheckInvariants() error {
	var errs []error
	for i := range p.ways {
		way, over := &p.ways[i], &p.ways[1-i]
		var held unit.Duration
		var bytes unit.Bytes
		last := unit.Time(0)
		for place := range way.inside.Len() {
			t := way.inside.At(place)
			if t.exit < last {
				errs = append(errs, fmt.Errorf("port %d: a frame leaves at %v, the one before it takes until %v", i, t.exit, last))
			}
			last = t.exit.Add(t.serial)
			held += t.serial
			bytes += t.length
		}
		if held != way.insideTime || bytes != way.insideBytes {
			errs = append(errs, fmt.Errorf("port %d: frames of %v and %v inside, counted %v and %v", i, held, bytes,
				way.insideTime, way.insideBytes))
		}
		if way.insideTimeMax > way.insideTimeBound {
			errs = append(errs, fmt.Errorf("port %d: frames of %v were inside, rate times delay is %v",
				i, way.insideTimeMax, way.insideTimeBound))
		}
		if way.rec.RxFrames != over.rec.TxFrames+uint64(way.inside.Len()) {
			errs = append(errs, fmt.Errorf("port %d: %d frames came in, %d left and %d are inside", i, way.rec.RxFrames,
				over.rec.TxFrames, way.inside.Len()))
		}
	}
	return errors.Join(errs...)
}
