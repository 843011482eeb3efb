package fabric

import (
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Held keeps a node's records until they are folded into its trace.
type Held struct{ records []heldRecord }

type heldRecord struct {
	kind   trace.Kind
	at     unit.Time
	port   int
	digest uint64
	frame  *wire.Frame // in place of a digest
}

// sent keeps a departure, whose digest is taken later. It is not inlined, for Emit is called for every hop and the
// records are in the way of its registers.
//
//go:noinline
func (h *Held) sent(start unit.Time, port int, frame *wire.Frame) {
	h.records = append(h.records, heldRecord{kind: trace.Sent, at: start, port: port, frame: frame})
}

// Hold keeps the node's records back from now on, so that the node may complete the contents of frames that it has sent
// already, until it calls Release. That must be before its Advance returns: they are not read earlier.
func (o *Outbox) Hold(held *Held) { o.held = held }

// MayHold reports whether the node may call Hold: it may if there is no Watch for the frames as they leave.
func (o *Outbox) MayHold() bool { return o.Watch == nil }

// Release folds the records kept back.
func (o *Outbox) Release() {
	for _, r := range o.held.records {
		if r.frame != nil {
			r.digest = r.frame.Digest()
		}
		o.hash.Fold(r.kind, r.at, r.port, r.digest)
	}
	clear(o.held.records)
	o.held.records = o.held.records[:0]
	o.held = nil
}

// fold folds a record into the node's trace, or keeps it.
func (o *Outbox) fold(kind trace.Kind, at unit.Time, port int, digest uint64) {
	if o.held == nil {
		o.hash.Fold(kind, at, port, digest)
		return
	}
	o.held.records = append(o.held.records, heldRecord{kind: kind, at: at, port: port, digest: digest})
}

// Promise hands over a copy of a frame that the node will send over link at start, by Keep. Promises for one link must
// come in the order of their starts.
func (o *Outbox) Promise(link LinkID, start unit.Time, frame *wire.Frame) {
	o.leave(link, start, frame.Len(), o.Copy(frame))
}

// Keep sends a frame from the node's port at start, as Emit does, but its receiver has a copy already.
func (o *Outbox) Keep(port int, start unit.Time, frame *wire.Frame) {
	o.Hops++
	o.fold(trace.Sent, start, port, frame.Digest())
	o.Free(frame)
}

// leave puts a frame into the lane of its link.
func (o *Outbox) leave(link LinkID, start unit.Time, length unit.Bytes, frame *wire.Frame) {
	lane := int(o.laneOf[link])
	if lane != o.own {
		o.First = min(o.First, start)
	}
	l := &o.lanes[o.base+lane]
	*l = append(*l, Departure{frame, start, link, uint16(length)})
}

// Own names the lane whose frames First leaves out, because the caller takes them from the lane at once.
func (o *Outbox) Own(lane int) { o.own = lane }
