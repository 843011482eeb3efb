package fabric

import (
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Ahead is a node that knows long before what it will send, as a long-haul path does. Nodes on its sides can be
// advanced much further than the latency of its links, if it promises its frames first.
type Ahead interface {
	Node
	// Notice is the least time between the arrival of a frame and the departure of a frame that it causes. Range: 0 or
	// above.
	Notice() unit.Duration
	// Promise gives copies of the frames that will start before horizon to out, by Outbox.Promise, each frame once. The
	// horizon lies at most Notice after that of the last Advance. A node that has promised a frame sends it by
	// Outbox.Keep.
	Promise(horizon unit.Time, out *Outbox)
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

// Own names the lane whose frames First leaves out, because whoever reads First takes them from the lane at once.
func (o *Outbox) Own(lane int) { o.own = lane }
