package edge

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Counters are the counts of an edge.
type Counters struct {
	// Port counts frames from outside as Sourced, frames to outside as Sunk.
	Port record.Port
	// Foreign counts the frames from outside by kind.
	Foreign record.Foreign
	// Waiting frames and bytes are in the NIC queue at the end; QueueMax is the most
	// that was in it, Wait how long frames waited there.
	WaitingFrames, WaitingBytes uint64
	QueueMax                    unit.Bytes
	Wait                        record.Histogram
	// Moved counts frames that started later because the edge learned of them late, MovedMax is the largest delay.
	Moved    uint64
	MovedMax unit.Duration
	// Carried are the records of the flows that end behind the edge, by their numbers, as records of receivers: of
	// packets that went out, and of ACKs, NAKs and CNPs that came in or were made.
	Carried map[uint32]*record.Receiver `json:",omitempty"`
}

// Counters returns what the edge counted until end.
func (e *Edge) Counters(end unit.Time) Counters {
	p := &e.port
	c := Counters{
		Port:          p.rec.Clone(),
		Foreign:       e.intake.record(),
		WaitingFrames: e.queue.frames,
		WaitingBytes:  uint64(e.queue.used),
		QueueMax:      e.queue.most,
		Wait:          p.wait,
		Moved:         p.moved,
		MovedMax:      p.movedMost,
	}
	if len(e.carried) > 0 {
		c.Carried = map[uint32]*record.Receiver{}
	}
	for _, flow := range e.carried {
		rec := flow.rec
		c.Carried[flow.Flow] = &rec
	}
	c.Port.Busy -= max(0, p.busyUntil.Sub(end))
	p.pauses.Close(end, &c.Port.Classes)
	c.Port.Over = p.meter.Until(end, e.grid)
	return c
}

// Tell adds the edge's counts so far.
func (e *Edge) Tell(t *record.Tally) { t.AddPort(&e.port.rec) }

// Ahead returns how many frames were injected whose time has not come: they are not in the counters yet.
func (e *Edge) Ahead() int { return e.injected.Len() }

// InFlight calls visit for each frame from the link that was delivered and has not
// arrived.
func (e *Edge) InFlight(visit func(port int, frame *wire.Frame)) { e.events.InFlight(visit) }

// Events returns how many events the edge handled.
func (e *Edge) Events() uint64 { return e.handled }

// CheckInvariants counts what waits and compares with the counters: what came in from
// outside was sent, dropped or waits, and no more waits than there is room. It returns
// all differences. It is for tests.
func (e *Edge) CheckInvariants() error {
	var errs []error
	q, rec := &e.queue, &e.port.rec
	frames, bytes := uint64(0), unit.Bytes(0)
	count := func(length int, at func(int) *arrival) {
		for i := range length {
			frames++
			bytes += at(i).frame.Len()
		}
	}
	count(q.pauses.Len(), q.pauses.At)
	for c := range q.classes {
		count(q.classes[c].Len(), q.classes[c].At)
		if waits := q.waiting>>c&1 != 0; waits == q.classes[c].Empty() {
			errs = append(errs, fmt.Errorf("class %d: %d frames wait, noted %v", c, q.classes[c].Len(), waits))
		}
	}
	if frames != q.frames || bytes != q.used || bytes > q.room {
		errs = append(errs, fmt.Errorf("%d frames of %v wait, counted %d of %v, room for %v", frames, bytes, q.frames,
			q.used, q.room))
	}
	dropped := rec.Drops[fabric.DropNICQueue] + rec.Drops[fabric.DropACL]
	if rec.SourcedFrames != rec.TxFrames+dropped+frames {
		errs = append(errs, fmt.Errorf("%d frames came in, %d were sent, %d dropped and %d wait", rec.SourcedFrames,
			rec.TxFrames, dropped, frames))
	}
	return errors.Join(errs...)
}
