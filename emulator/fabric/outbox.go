package fabric

import (
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Departure is a frame whose first bit left a node.
type Departure struct {
	Frame  *wire.Frame
	Start  unit.Time
	Link   LinkID
	Length uint16 // Frame.Len()
}

// DropReason is the reason why a node dropped a frame: an outcome, not an error.
type DropReason uint8

// The reasons.
const (
	DropNone       DropReason = iota
	DropNoBuffer              // shared buffer exhausted in a lossy class
	DropHeadroom              // headroom exhausted in a lossless class
	DropWRED                  // not ECN-capable, chosen by WRED in a lossy class
	DropNoRoute               // no route to the destination
	DropTTL                   // TTL of 1 or 0 where it is routed, even at the last switch; a bridge ignores it
	DropLinkLoss              // lost on the link, as the scenario asked
	DropLinkDown              // on a link that was down
	DropWatchdog              // flushed by the PFC watchdog
	DropOutOfOrder            // arrived ahead of the expected PSN at a go-back-N receiver
	DropDuplicate             // PSN already received
	DropUnknownQP             // no such QP at the receiver
	DropFiltered              // a CNP for a flow that the proximal switch slowed down itself
	DropDCIBuffer             // memory of a DCI port exhausted
	DropNICQueue              // the NIC queue of an edge was full
	DropFlood                 // bridged, to all or to an unknown station, above the port's bound
	DropLinkLocal             // bridged, to a link-local group
	DropSamePort              // bridged, to a station at the port by which it came
	DropWrongPeer             // for a QP, from an address that is not its peer's
	DropACL                   // a CNP from outside, at an edge that drops them
	DropIntake                // the receive buffer of a NIC whose host is slower than the line was full
	DropPortDown              // flushed at a port whose link is down, or for one
	DropReboot                // in the queues of a switch that rebooted
	NumDropReasons
)

var dropNames = [NumDropReasons]string{"none", "no_buffer", "headroom", "wred", "no_route", "ttl",
	"link_loss", "link_down",
	"watchdog", "out_of_order", "duplicate", "unknown_qp", "filtered", "dci_buffer", "nic_queue", "flood",
	"link_local", "same_port", "wrong_peer", "acl", "receive_buffer", "port_down", "reboot"}

// String returns the reason's name in counters and reports.
func (r DropReason) String() string { return dropNames[r] }

// IsLinkLoss reports whether the frame was lost on a link: such frames stand in record.Port's RxLost.
func (r DropReason) IsLinkLoss() bool { return r == DropLinkLoss || r == DropLinkDown }

// IsInjected reports whether a fault of the scenario lost the frame: on a link, at a port whose link is down, or in a
// switch that rebooted.
func (r DropReason) IsInjected() bool { return r.IsLinkLoss() || r.IsFlush() }

// IsFlush reports whether the frame was lost to an outage of the link that it was to take.
func (r DropReason) IsFlush() bool { return r == DropPortDown || r == DropReboot }

// IsDiscard reports whether the drop is not a loss in the fabric: a receiver discarded a delivered frame, a switch one
// that its own CNP replaced, a bridge one that bridges do not forward, an edge one that its ACL refuses.
func (r DropReason) IsDiscard() bool {
	switch r {
	case DropOutOfOrder, DropDuplicate, DropUnknownQP, DropFiltered, DropLinkLocal, DropSamePort, DropWrongPeer, DropACL:
		return true
	}
	return false
}

// Watcher sees every frame that leaves or is dropped, in the order in which the nodes of one worker are run; a recorder
// behind it must sort. It must not keep the frame.
type Watcher interface {
	Departed(link LinkID, start unit.Time, frame *wire.Frame)
	Dropped(node int, port int, at unit.Time, reason DropReason, frame *wire.Frame)
}

// Outbox is where a node puts what it sends, and where it gets frames from.
// One outbox serves all nodes of a worker, one node at a time.
type Outbox struct {
	// Watch, if not nil, is called for departures and drops.
	Watch Watcher
	// Round, if not nil, runs the nodes.
	Round *Round
	// Hops counts departures.
	Hops uint64
	// First is the earliest start among the departures that went into lanes since the last Use, Arrival the earliest
	// arrival among the directly delivered ones.
	First, Arrival unit.Time

	lanes  [][]Departure
	laneOf []uint8
	base   int // of the bank in use
	width  int // lanes a bank
	direct []receiver
	node   int
	hash   *trace.Hash
	held   *Held // nil unless the node asked for it
	free   []*wire.Frame
	opaque []*wire.Frame // free ones that keep room for bytes
}

// banks is the number of sets of lanes: while one window fills a bank, the
// receivers of the last window still empty the other.
const banks = 2

// NewOutbox returns an outbox that sorts departures into lanes: a departure
// goes to the lane of the bank in use that laneOf gives for its link.
func NewOutbox(lanes int, laneOf []uint8) *Outbox {
	return &Outbox{lanes: make([][]Departure, banks*lanes), laneOf: laneOf, width: lanes,
		direct: make([]receiver, len(laneOf))}
}

// Begin chooses the node that is about to be advanced and the hash that its
// records go to. Runners call it, nodes do not.
func (o *Outbox) Begin(node int, hash *trace.Hash) { o.node, o.hash = node, hash }

// Target is where a link's frames arrive.
type Target struct{ Node, Port int }

// receiver is the far end of a link whose frames do not need a lane; the zero value is for links whose frames do.
type receiver struct {
	node Node
	port int
	next *unit.Time
}

// Direct delivers at once the frames that would go into a lane, and lowers next[node] to the arrivals. A worker may ask
// for it for the lane to its own nodes: a frame arrives after the window's end, so the receiver cannot take it for an
// event of this window, whether it has run already or not.
func (o *Outbox) Direct(lane int, nodes []Node, targets []Target, next []unit.Time) {
	for l, to := range targets {
		if int(o.laneOf[l]) == lane {
			o.direct[l] = receiver{nodes[to.Node], to.Port, &next[to.Node]}
		}
	}
}

// Use chooses the bank that takes departures from now on. Runners call it.
func (o *Outbox) Use(bank int) { o.base, o.First, o.Arrival = bank*o.width, unit.Never, unit.Never }

// Lane returns the departures in a lane of a bank since its last Reset.
// Runners call it.
func (o *Outbox) Lane(bank, lane int) []Departure { return o.lanes[bank*o.width+lane] }

// Reset empties a lane of a bank, keeping its room.
func (o *Outbox) Reset(bank, lane int) {
	l := &o.lanes[bank*o.width+lane]
	*l = (*l)[:0]
}

// Emit sends a frame from the node's port over link at start. A node's departures
// on one link must come in the order of their starts, and no start may lie
// before the event being handled.
func (o *Outbox) Emit(port int, link LinkID, start unit.Time, frame *wire.Frame) {
	o.Hops++
	length := frame.Len()
	if o.held == nil {
		o.hash.Fold(trace.Sent, start, port, frame.Digest())
	} else {
		o.held.sent(start, port, frame)
	}
	if o.Watch != nil {
		o.Watch.Departed(link, start, frame)
	}
	to := &o.direct[link]
	if to.node == nil {
		o.First = min(o.First, start)
		lane := &o.lanes[o.base+int(o.laneOf[link])]
		*lane = append(*lane, Departure{frame, start, link, uint16(length)})
		return
	}
	arrival := to.node.Deliver(to.port, start, length, frame)
	if arrival < *to.next {
		*to.next = arrival
	}
	if arrival < o.Arrival {
		o.Arrival = arrival
	}
}

// Drop records that a frame, at port, is dropped now, and frees it.
func (o *Outbox) Drop(at unit.Time, port int, reason DropReason, frame *wire.Frame) {
	o.fold(trace.Dropped, at, port, frame.Digest()+uint64(reason))
	if o.Watch != nil {
		o.Watch.Dropped(o.node, port, at, reason, frame)
	}
	o.Free(frame)
}

// Note folds an event other than a frame into the node's trace.
func (o *Outbox) Note(kind trace.Kind, at unit.Time, port int, digest uint64) {
	o.fold(kind, at, port, digest)
}

// frameBlock is the number of frames allocated at once; neighbours in time are then neighbours in memory.
const frameBlock = 256

// New returns a frame whose contents are undefined: assign all of it.
func (o *Outbox) New() *wire.Frame {
	if len(o.free) == 0 {
		o.makeFrames()
	}
	n := len(o.free) - 1
	f := o.free[n]
	o.free = o.free[:n]
	return f
}

// makeFrames makes free frames, of opaque ones if there are enough.
func (o *Outbox) makeFrames() {
	if len(o.opaque) >= frameBlock {
		o.free, o.opaque = append(o.free, o.opaque...), o.opaque[:0]
		return
	}
	block := make([]wire.Frame, frameBlock)
	for i := range block {
		o.free = append(o.free, &block[i])
	}
}

// Decode returns a frame of the bytes b, see wire.DecodeAny; an opaque one reuses, if possible, the memory of another
// that reached its end. It returns nil for more than wire.MaxOpaque bytes.
func (o *Outbox) Decode(b []byte) *wire.Frame {
	f := o.New()
	if wire.DecodeKnown(b, f) {
		return f
	}
	o.free = append(o.free, f)
	if f = o.newOpaque(); f.SetOpaque(b) {
		return f
	}
	o.Free(f)
	return nil
}

// Copy returns a copy of a frame.
func (o *Outbox) Copy(frame *wire.Frame) *wire.Frame {
	f := o.newOpaque
	if !frame.IsOpaque() {
		f = o.New
	}
	copied := f()
	copied.Copy(frame)
	return copied
}

// newOpaque is New of a frame that is to be opaque.
func (o *Outbox) newOpaque() *wire.Frame {
	n := len(o.opaque) - 1
	if n < 0 {
		return o.New()
	}
	f := o.opaque[n]
	o.opaque = o.opaque[:n]
	return f
}

// Free takes back a frame that reached its end.
func (o *Outbox) Free(frame *wire.Frame) {
	if frame.IsOpaque() {
		o.opaque = append(o.opaque, frame)
		return
	}
	o.free = append(o.free, frame)
}

// GiveFree moves up to n free frames out, for a worker that runs short; formerly opaque frames go first.
func (o *Outbox) GiveFree(n int, to *Outbox) {
	n -= move(n, &o.opaque, &to.opaque)
	move(n, &o.free, &to.free)
}

// move moves up to n frames from the end of one list to that of another, and returns how many.
func move(n int, from, to *[]*wire.Frame) int {
	n = min(n, len(*from))
	rest := len(*from) - n
	*to = append(*to, (*from)[rest:]...)
	*from = (*from)[:rest]
	return n
}

// FreeFrames returns how many free frames the outbox holds.
func (o *Outbox) FreeFrames() int { return len(o.free) + len(o.opaque) }
