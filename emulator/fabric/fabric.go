package fabric

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Node is a switch, a NIC, a long-haul path or a node of any other kind.
type Node interface {
	// Deliver hands over a frame whose first bit left the far end of port's link at start. It returns the arrival of
	// the frame's last bit, which is start + serialisation + latency and never before the end of the window in which it
	// was sent. The node then owns the frame. length is frame.Len(): most frames need not be touched, and so brought
	// into the cache, before they arrive.
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

// Attachment describes the link at one port of a node, as the node knows it.
type Attachment struct {
	// Link is the direction of the link in which the node sends.
	Link LinkID
	// Tx and Rx are the two directions, seen from the node.
	Tx, Rx Channel
	// Accounting is the rule for counting time on the wire; one for the whole fabric.
	Accounting wire.Accounting
	// Loss is the probability of losing an arriving frame that is one of LossOf; Outages are the spans during which
	// nothing arrives or leaves, the same at both ends of a link. BER is the probability that a bit of an arriving
	// frame is wrong, so that the frame is lost. Range: 0 to 1. Faults are fixed before the run.
	Loss   float64
	LossOf Frames
	// LossIn narrows LossOf; nil if it does not.
	LossIn  *Gray   `json:",omitempty"`
	BER     float64 `json:",omitzero"`
	Outages []Outage
	// TxSlow and RxSlow are the spans during which Tx and Rx have a lower rate, nil for none; the spans of one
	// direction do not overlap.
	TxSlow, RxSlow []Slow `json:",omitempty"`
	// Harms happen to frames that arrive at this port, in their order.
	Harms []Harm `json:",omitempty"`
	// Knows has the outages as this end knows them; nil for an end that knows all at once.
	Knows *Knowledge `json:",omitempty"`
	// Beyond is the longest time that a pause and the frames that it stops spend behind the link's far end, there and
	// back, if the link leads to a long-haul path; 0 otherwise. It determines the headroom.
	Beyond unit.Duration
	// Response is the time until the port that hears this one obeys a pause. Headroom follows from it.
	Response unit.Duration
	// DCI is set if this is a switch's port and a long-haul path lies between it and the port of another switch.
	DCI bool
	// FarCuts is set if the switch at the other end cuts through: it acts at the end of a frame's header.
	FarCuts bool `json:",omitzero"`
}

// Outage is a span [From, To) during which a link is down.
type Outage struct {
	From, To unit.Time
	// OneWay describes an outage that begins with one direction; zero for any other.
	OneWay OneWay `json:",omitzero"`
}

// OneWay is an outage that begins with a loss of signal in one direction. The end that no longer receives stops at
// once. The other end learns of it a flight later from the remote fault sent in place of frames, and stops, too (IEEE
// 802.3, 46.3.4 and 81.3.4); or it never learns of it.
type OneWay struct {
	// Dark is the direction, BothWays of an outage that is none of one way. To an end, B is the other end.
	Dark Way `json:",omitzero"`
	// Silent is set if no remote fault is sent.
	Silent bool `json:",omitzero"`
	// Lag is the delay with which this end learns of the outage after the other end: From and To are this end's times.
	Lag unit.Duration `json:",omitzero"`
}

// Way is a set of directions of a link.
type Way uint8

// The ways.
const (
	BothWays Way = iota
	// AToB and BToA are the two directions.
	AToB
	BToA
)

// Unheard reports whether an end never learns of an outage that does not cost it any arriving frame.
func (o *Outage) Unheard() bool { return o.OneWay.Silent && o.OneWay.Dark == AToB }

// SeenFrom returns an outage, given in the directions of the link, as an end of the link sees it. latency is the
// latency of the direction towards that end.
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

// Knowledge has the outages of a link as one end knows them.
type Knowledge struct {
	// Down are the spans during which the end considers the link down, in their order. Each lies in an outage, and ends
	// with it.
	Down []Outage
}

// ArrivalOf returns when the last bit of a frame that started at start at the far
// end, arrives here.
func (a *Attachment) ArrivalOf(start unit.Time, frame *wire.Frame) unit.Time {
	return start.Add(a.Accounting.SerialTime(frame, RateAt(start, a.Rx.Rate, a.RxSlow)) + a.Rx.Latency)
}

// RoundTrip is the time from here to the port at the other end and back, with a long-haul path between them at its
// longest, without the frames' time on the wire.
func (a *Attachment) RoundTrip() unit.Duration { return a.Tx.Latency + a.Rx.Latency + a.Beyond }

// ActsAt returns when the node at the other end acts at the earliest on a frame that starts here: at its last bit, or
// with the end of its header, if the link is not slow.
func (a *Attachment) ActsAt(start unit.Time, frame *wire.Frame) unit.Time {
	bytes := a.Accounting.Bytes(frame)
	if a.FarCuts {
		bytes = header(bytes, a.Accounting)
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

// Harm is one thing that happens to frames on a link, beside outages, losses and slow spans. It is plain data, so that
// it reaches daemons: the model of each kind, with its name, stands in a file of emulator/link.
type Harm struct {
	// Kind is the name of the model.
	Kind string
	// Way has the directions of the link; at an end it is BothWays, for those of the frames that arrive there.
	Way Way `json:",omitzero"`
}

// HarmsAt returns the harms of frames that arrive at one end of a link.
func HarmsAt(atB bool, all []Harm) (list []Harm) {
	for _, harm := range all {
		if harm.Way == BothWays || (harm.Way == AToB) == atB {
			list = append(list, Harm{Kind: harm.Kind})
		}
	}
	return list
}

// Epoch is a change of a switch's routes: from At on, before all that arrives at that instant, the stations of Changes
// have other sets of next hops.
type Epoch struct {
	At      unit.Time
	Changes []RouteChange
}

// RouteChange gives Count stations, from First on, the set of next hops with the number Set.
type RouteChange struct {
	First, Count int
	Set          uint16
}
