package fabric

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Node is a switch, a NIC, a long-haul path or a node of any other kind.
type Node interface {
	// Deliver hands over a frame whose first bit left the far end of port's
	// link at start. It returns when the frame's last bit arrives, which is
	// start + serialisation + latency and never before the end of the window
	// in which it was sent. The node owns the frame from here on. length is frame.Len():
	// most frames need not be touched, and so brought into the cache, before
	// they arrive.
	Deliver(port int, start unit.Time, length unit.Bytes, frame *wire.Frame) (arrival unit.Time)
	// Advance handles all events before horizon, emits the frames that start
	// meanwhile to out, and returns the time of the next pending event,
	// unit.Never if there is none. A return that is early is harmless, one
	// that is late is a bug.
	Advance(horizon unit.Time, out *Outbox) (next unit.Time)
}

// LinkID names one direction of a link, densely from 0.
type LinkID int32

// Channel is one direction of a link.
type Channel struct {
	// Rate is the line rate. Range: above 0.
	Rate unit.BitRate
	// Latency is the propagation delay. Range: above 0; a latency of zero
	// would leave the windows no length.
	Latency unit.Duration
}

// Attachment is what a node knows of the link at one of its ports.
type Attachment struct {
	// Link is the direction in which the node sends.
	Link LinkID
	// Tx and Rx are the two directions, seen from the node.
	Tx, Rx Channel
	// Accounting is the rule by which time on the wire is counted; one for
	// the whole fabric.
	Accounting wire.Accounting
	// Loss is the probability with which a frame that arrives at this port, one
	// of LossOf, is lost, and Outages are the spans in which nothing arrives or
	// leaves; both ends of a link apply the same outages. BER is the probability with which a bit of a frame
	// that arrives here is wrong, so that the frame is lost. Range: 0 to 1. Faults are fixed before
	// the run.
	Loss   float64
	LossOf Frames
	// LossIn narrows LossOf; nil if it does not.
	LossIn  *Gray   `json:",omitempty"`
	BER     float64 `json:",omitzero"`
	Outages []Outage
	// TxSlow and RxSlow are the spans in which Tx and Rx have a lower rate, nil for none; those of one do not overlap.
	TxSlow, RxSlow []Slow `json:",omitempty"`
	// Harms happen to frames that arrive at this port, in their order.
	Harms []Harm `json:",omitempty"`
	// Knows is what this end knows of the outages; nil for an end that knows all at once.
	Knows *Knowledge `json:",omitempty"`
	// Beyond is, where the link leads to a long-haul path, the time that a
	// pause and what it stops spend behind the link's far end, there and back,
	// at the path's longest; 0 elsewhere. Headroom follows from it.
	Beyond unit.Duration
	// Response is the time until the port that hears this one obeys a pause. Headroom follows from it.
	Response unit.Duration
	// DCI says that this is a switch's port, and that a long-haul path lies
	// between it and the port of another switch.
	DCI bool
	// FarCuts says that the switch at the other end cuts through: it acts with the end of a frame's header.
	FarCuts bool `json:",omitzero"`
}

// Outage is a span [From, To) in which a link is down.
type Outage struct {
	From, To unit.Time
	// OneWay says more of an outage that begins with one direction; zero for any other.
	OneWay OneWay `json:",omitzero"`
}

// OneWay is an outage in which the signal is lost in one direction. The end that hears nothing stops at once. The
// other one hears a flight later that it does, by the remote fault that it is sent in place of frames, and stops, too
// (IEEE 802.3, 46.3.4 and 81.3.4); or it never hears of it.
type OneWay struct {
	// Dark is the direction, BothWays of an outage that is none of one way. To an end, B is the other end.
	Dark Way `json:",omitzero"`
	// Silent says that no remote fault is sent.
	Silent bool `json:",omitzero"`
	// Lag is how much later than the other end this end hears of the outage: From and To are this end's.
	Lag unit.Duration `json:",omitzero"`
}

// Way says in which directions of a link something holds.
type Way uint8

// The ways.
const (
	BothWays Way = iota
	// AToB and BToA are the two directions.
	AToB
	BToA
)

// Unheard reports whether an end never hears of an outage, in which nothing is lost that comes to it.
func (o *Outage) Unheard() bool { return o.OneWay.Silent && o.OneWay.Dark == AToB }

// SeenFrom returns an outage, the directions of which are those of the link, as an end of the link sees it. latency
// is that of the direction towards the end.
func (o Outage) SeenFrom(atB bool, latency unit.Duration) Outage {
	if o.OneWay.Dark == BothWays {
		return o
	}
	if away := o.OneWay.Dark == BToA; atB != away {
		o.OneWay = OneWay{} // the signal is lost here
		return o
	}
	o.OneWay.Dark = AToB
	if !o.OneWay.Silent {
		o.OneWay.Lag = latency
		o.From, o.To = o.From.Add(latency), o.To.Add(latency)
	}
	return o
}

// Knowledge is what one end of a link knows of its outages.
type Knowledge struct {
	// Down are the spans in which the end takes the link for down, in their order. Each lies in an outage, and ends
	// with it.
	Down []Outage
}

// ArrivalOf returns when the last bit of a frame that started at start at the far
// end, arrives here.
func (a *Attachment) ArrivalOf(start unit.Time, frame *wire.Frame) unit.Time {
	return start.Add(a.Accounting.SerialTime(frame, RateAt(start, a.Rx.Rate, a.RxSlow)) + a.Rx.Latency)
}

// RoundTrip is the time from here to the port at the other end and back, a
// long-haul path between them at its longest, frames' time on the wire apart.
func (a *Attachment) RoundTrip() unit.Duration { return a.Tx.Latency + a.Rx.Latency + a.Beyond }

// ActsAt returns when the node at the other end acts at the earliest on a frame that starts here: at its last bit, or
// with the end of its header, if the link is not slow.
func (a *Attachment) ActsAt(start unit.Time, frame *wire.Frame) unit.Time {
	bytes := a.Accounting.Bytes(frame)
	if a.FarCuts {
		bytes = Header(bytes, a.Accounting)
	}
	return start.Add(a.Accounting.SerialTimeOf(bytes, a.Tx.Rate) + a.Tx.Latency)
}

// SerialTime returns how long sending a frame takes at this port if the link is not slow.
func (a *Attachment) SerialTime(frame *wire.Frame) unit.Duration {
	return a.Accounting.SerialTime(frame, a.Tx.Rate)
}

// Lookahead is the least time between the first bit of any frame at the far
// end and its arrival here: no window may be longer.
func (a *Attachment) Lookahead() unit.Duration {
	return a.Rx.Latency + a.Accounting.SerialTimeOf(a.Accounting.ShortestFrame(), a.Rx.Rate)
}
