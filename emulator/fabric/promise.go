package fabric

import (
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

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
