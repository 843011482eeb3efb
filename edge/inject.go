package edge

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// arrival is a frame from outside.
type arrival struct {
	frame *wire.Frame
	came  unit.Time
	// number counts frames in the NIC queue, in the order of their arrival.
	number uint64
	// entered is the time at which it was put into the NIC queue.
	entered unit.Time
	// made is set if the edge made it.
	made bool
}

// Inject puts a frame that came in from outside at a model time into the NIC queue: at that time, or as soon after as
// causality allows, which is after all that the edge did, after earlier injections, and so that it arrives after the
// window that ends at horizon. It returns the time taken, which a record keeps for Replay. The edge then owns the
// frame.
func (e *Edge) Inject(came, horizon unit.Time, frame *wire.Frame) (taken unit.Time) {
	taken = max(came, 0, e.settled, e.last, horizon.Add(-e.attachment.Tx.Latency))
	e.Replay(came, taken, frame)
	return taken
}

// Replay puts a frame that came at one time into the NIC queue at the other, as Inject
// returned it. Calls come in the order of taken.
func (e *Edge) Replay(came, taken unit.Time, frame *wire.Frame) {
	e.last = taken
	e.injected.Push(arrival{frame: frame, came: came})
	e.events.Schedule(taken, event.Timer, outside, 0)
}

// Next returns the time of the next event, unit.Never if there is none: Advance
// returned it, and an injection may have made it earlier.
func (e *Edge) Next() unit.Time { return e.events.Next() }

// enter puts a frame into the NIC queue, or drops it: by the ACL, or for want of room.
func (e *Edge) enter(now unit.Time, a arrival) {
	length := a.frame.Len()
	e.port.rec.SourcedFrames++
	e.port.rec.SourcedBytes += uint64(length)
	e.came(now, a.frame)
	kind := kindOf(a.frame)
	e.intake.kinds[kind]++
	own := len(e.carried) > 0 && e.answers(kind, a.frame)
	if kind == record.ForeignCNP && e.dropsCNPs {
		if own {
			e.intake.ownRefused++
		}
		e.drop(now, fabric.DropACL, a.frame, length)
		return
	}
	if queued := e.queue.push(now, a, length); !queued {
		e.drop(now, fabric.DropNICQueue, a.frame, length)
		return
	}
	if !own {
		e.intake.pass(kind, a.frame)
	}
}

// drop drops a frame from outside, or one that the edge made.
func (e *Edge) drop(now unit.Time, reason fabric.DropReason, frame *wire.Frame, length unit.Bytes) {
	e.port.rec.Drop(reason, length)
	e.port.meterAt(now).Dropped++
	e.out.Drop(now, linkPort, reason, frame)
}
