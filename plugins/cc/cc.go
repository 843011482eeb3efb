package cc

import (
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Algorithm is a congestion-control algorithm as its author ships it.
type Algorithm interface {
	// Describe returns name, version and parameters.
	Describe() Description
	// New checks the parameters and returns a configured controller. An error names the parameter, its value and the
	// allowed values.
	New(params Params) (Controller, error)
}

// Description identifies an algorithm.
type Description struct {
	// Name is its name in scenarios: lower case, digits and dashes.
	Name string
	// Version is the implementation's, major.minor.patch.
	Version string
	// Summary is one line for listings.
	Summary string
	// Source is the paper or document that it follows.
	Source string
	// Params lists its parameters in the order of documentation.
	Params []Param
	// Uncontrolled declares that the algorithm does not react to congestion, as
	// a baseline may: it is then not expected to.
	Uncontrolled bool
	// Recovery is the time within which a flow claims to hold 80 % of the line
	// rate again once the others are gone. 0 claims 50 ms.
	Recovery unit.Duration
	// Values names the values that its senders report about themselves, which must then be Valued: quantities to be
	// recorded, without influence on any decision. At most MostValues.
	Values []Value
}

// Controller is a configured algorithm.
type Controller interface {
	// Signals declares what the algorithm needs to know; the NIC carries
	// just that on the wire.
	Signals() Signals
	// NewSender returns the state of one flow at its sending NIC.
	NewSender(facts Facts) Sender
	// NewReceiver returns the state of one flow at its receiving NIC, nil if
	// the algorithm has no receiver side.
	NewReceiver(facts Facts) Receiver
}

// Resolving is a Controller that returns the values of parameters for which the description has no default, because
// other parameters determine them. It is for records of runs.
type Resolving interface {
	// Resolved returns such values by the parameters' names, as one would write them; given
	// ones may be among them.
	Resolved() map[string]string
}

// Signals declares what a controller needs.
type Signals struct {
	// ECT sends data ECN-capable, so that switches mark instead of ignoring.
	ECT bool
	// CNP has the receiving NIC answer CE-marked data with CNPs, at most one
	// per CNPInterval and flow.
	CNP         bool
	CNPInterval unit.Duration
	// Acks asks for an EventAck per acknowledgement. Without it a sender
	// sees ACKs only in the counters of other events.
	Acks bool
	// OneWayDelay carries tx_time and baseline in data and base rate, one-way
	// delay and the echoed tx_time in ACKs (extension types 1 and 2).
	OneWayDelay bool
	// Timestamp carries t1 in data and its echo with the remote delay in ACKs
	// (extension types 5 and 6).
	Timestamp bool
	// ECNEcho lets each ACK carry whether its data packet was marked
	// (extension type 7).
	ECNEcho bool
	// INT has every switch on the way stamp its egress queue into the data
	// packet (extension type 3), and each ACK echo what its packet gathered
	// (type 4). Every switch must be able to: its ports have one of the line
	// rates of inband.AllowedRates.
	INT bool
	// RTTInCNP has data carry the sender's latest RTT (extension type 5), and
	// each CNP the one of its packet, in its reserved bytes.
	RTTInCNP bool
	// RateInCNP makes an EventCNP carry the rate that a switch put into the CNP's reserved bytes, as a switch next to
	// the sender does with proximal CNP and its option rate. Without it such a CNP is as any other. Other frames do not
	// carry more for it.
	RateInCNP bool
	// Group lets the controller inform a sender, too, when the number of flows
	// towards its receiver changes after the start: EventGroup.
	Group bool
	// Loss asks for an EventLoss for packets that the NIC takes for lost. Without it a sender learns of a loss that
	// made the NIC go back, by EventNak and EventTimeout, and of no other.
	Loss bool
	// Received adds to events how much the receiver has, whether or not in order.
	Received bool
	// Path adds to an EventAck the way of the packet that caused the ACK, and how it arrived.
	Path bool
	// OwnData and OwnAck are the bytes of the algorithm's own extension (type 8) in
	// data and in ACKs. Range: 0 to OwnBytes, a multiple of 4.
	//
	// A frame carries one extension: among OneWayDelay, Timestamp, ECNEcho, INT and the own one a controller may ask
	// for one; RTTInCNP goes with Timestamp or by itself.
	OwnData, OwnAck int
}

// OwnBytes is the most that an algorithm's own extension carries.
const OwnBytes = 32

// Mode is the collective operation that a flow belongs to, as a cluster's
// controller knows it.
type Mode uint8

// The modes of PC4's Table I.
const (
	ModeOther Mode = iota
	ModeAllReduce
	ModeAllToAll
	ModeAllGather
)

// Group is the controller's announcement to a NIC about the traffic that a flow belongs to.
type Group struct {
	// Mode is the collective operation.
	Mode Mode
	// Flows is n, the number of flows that are active towards the receiver; 0
	// when unknown.
	Flows int
	// Ranks is the size of the group, 0 when unknown.
	Ranks int
}

// Facts are the known facts of a flow when it is set up.
type Facts struct {
	// Flow is the flow's number in the scenario.
	Flow uint32
	// LineRate is the rate of the NIC's port. Senders start at it unless they
	// decide otherwise.
	LineRate unit.BitRate
	// MTU is the payload of a full-size packet.
	MTU unit.Bytes
	// PacketBytes is the length of a full-size packet of this flow on the wire, preamble and gap included.
	PacketBytes unit.Bytes
	// BaseRTT is the round-trip time of a full-size packet and its ACK on
	// empty queues.
	BaseRTT unit.Duration
	// Baseline is the one-way delay of a full-size packet on empty queues:
	// propagation plus serialisation at every hop.
	Baseline unit.Duration
	// Hops is the number of switches on the way.
	Hops int
	// Size is the flow's payload in bytes, 0 when it runs until stopped.
	Size unit.Bytes
	// Group is the controller's announcement to the sender before its first packet; later changes come as EventGroup.
	Group Group
	// Chance is the flow's own stream.
	Chance *chance.Stream
}

// EventKind is the kind of an event.
type EventKind uint8

// The events of a sender.
const (
	// EventStart comes once, before the first packet.
	EventStart EventKind = iota
	// EventSent comes when the cumulative bytes sent reach Decision.WakeBytes.
	EventSent
	// EventAck comes for each acknowledgement, if Signals.Acks.
	EventAck
	// EventNak comes for a NAK, after the NIC went back.
	EventNak
	// EventCNP comes for each CNP.
	EventCNP
	// EventTimeout comes when the retransmission timer expired, after the NIC
	// went back.
	EventTimeout
	// EventTimer comes at Decision.WakeAt.
	EventTimer
	// EventGroup comes when the number of flows towards the receiver, as the controller announces it, changed, if
	// Signals.Group: the controller's latency after the receiver has it. It comes for changes that the plan fixes,
	// starts and the ends of flows that stop by the clock. Only its receiver knows the end of a flow of a size, so from
	// the first start of one on no more come.
	EventGroup
	// EventLoss comes when the NIC takes packets for lost, if Signals.Loss: each loss once, for any kind of receiver,
	// after the NIC knows which packets it will send again and before the EventNak or EventTimeout of the same instant.
	EventLoss

	// 9 and 10 are kept for packets that a switch trimmed and for a receiver's credit.
)

var eventNames = [...]string{"start", "sent", "ACK", "NAK", "CNP", "timeout", "timer", "group", "loss"}

// String returns the event's name, as in "the ACK event".
func (k EventKind) String() string {
	if int(k) < len(eventNames) {
		return eventNames[k]
	}
	return "unknown"
}

// LossCause is the way in which a NIC found a loss.
type LossCause uint8

// The causes. 4 is kept for packets that a switch trimmed.
const (
	// LossNone is for all events but EventLoss.
	LossNone LossCause = iota
	// LossGap: later packets arrived.
	LossGap
	// LossTimeout: the retransmission timer expired.
	LossTimeout
	// LossNak: the receiver reports that a packet is missing.
	LossNak
)

// Event is one event of a sender. Fields that its kind does not need hold their latest values if that makes sense and
// zero otherwise.
type Event struct {
	Kind EventKind
	// CE is set, for EventAck with Signals.ECNEcho, if the data packet was marked.
	CE bool
	// Resent and OOO say, for EventAck with Signals.Path, that the packet which caused the ACK
	// had been sent before, and that it arrived ahead of one that is missing.
	Resent, OOO bool
	// Flows is, for EventGroup, Group.Flows from now on. Mode and Ranks stay.
	Flows uint32
	// Path is, with Signals.Path, the UDP source port of the packet that caused the ACK, from which switches choose a
	// way.
	Path uint32
	// Cause is, for EventLoss, how the NIC found the loss, and Lost the payload that it takes for
	// lost by it. In go-back-N all that followed a lost packet counts, since the receiver
	// discards it.
	Cause LossCause
	Lost  unit.Bytes
	// Received is, with Signals.Received, the payload that the receiver is known to have, the cumulative number of
	// bytes. It is above the acknowledged payload if a receiver keeps packets beyond a gap and reports them.
	Received unit.Bytes
	// Now is the NIC's timer: model time, for intervals between events.
	Now unit.Time
	// Clock is a reading of the NIC's clock in ns, to compare with Echo; only
	// with Signals.OneWayDelay or Timestamp.
	Clock int64
	// Acked is the payload newly acknowledged by this event, with selective repeat also the part that a receiver
	// reports beyond a gap, Inflight the payload sent and not yet acknowledged after it, nor reported, nor lost, Sent
	// the cumulative wire bytes sent, resent ones included.
	Acked, Inflight, Sent unit.Bytes
	// RTT is the sample of this ACK: by the NIC's timer, or by its clock if an echo is on the wire; 0 if there is none
	// (an ACK of a resent packet). With Signals.RTTInCNP an EventCNP has the one that came back in the CNP.
	RTT unit.Duration
	// OneWayDelay is the queueing time that the receiver read, signed, whole ns; Echo the clock reading at which the
	// acknowledged packet left; BaseRate the receiver's offer. Only with Signals.OneWayDelay.
	OneWayDelay unit.Duration
	Echo        int64
	BaseRate    unit.BitRate
	// CNPRate is, for EventCNP, the rate that a switch on the way allows the flow from now on, 0 if the CNP does not
	// carry one. Range: 0, or 1 Mb/s to the line rate. Only with Signals.RateInCNP.
	CNPRate unit.BitRate
	// RemoteDelay is the time between the data packet's arrival and its ACK.
	// Only with Signals.Timestamp.
	RemoteDelay unit.Duration
	// INT has the records that the acknowledged packet gathered at the switches. Only with Signals.INT.
	INT inband.Stack
	// Own is the ACK's own extension, zero beyond Signals.OwnAck bytes.
	Own [OwnBytes]byte
}

// EchoedRTT returns the ACK's RTT, with Signals.Timestamp of a resent packet too:
// RTT has none there, since it does not say which sending the ACK answers, but
// the echo does. It may be 0 or negative where clocks are noisy.
func (e *Event) EchoedRTT() unit.Duration {
	if e.RTT == 0 && e.Acked > 0 {
		return unit.Duration(e.Clock-e.Echo) * unit.Nanosecond
	}
	return e.RTT
}

// Decision is a sender's answer. It is kept from event to event: a sender
// changes only what it wants changed.
type Decision struct {
	// Rate paces the flow. Range: above 0, at most the line rate; the NIC
	// clamps it to the line rate.
	Rate unit.BitRate
	// Window bounds the payload in flight: a packet may leave while Inflight
	// < Window, so that the window may be exceeded by less than a packet. 0
	// means no window. A window below one packet is kept by pacing: see Gap.
	Window unit.Bytes
	// Gap, if above 0, is the time from the start of one packet to the start
	// of the next, in place of the gap that follows from Rate.
	Gap unit.Duration
	// WakeAt asks for an EventTimer at that instant; 0 for none. An instant
	// that is now or past is served next, at the present instant; the answer
	// to an EventTimer must ask for a later one, or time would stand still.
	// It is cleared before the EventTimer is handed over.
	WakeAt unit.Time
	// WakeBytes asks for an EventSent once Event.Sent reaches it; 0 for none.
	// It is cleared before the EventSent is handed over.
	WakeBytes unit.Bytes
	// Own is the content of data's own extension from now on, the first Signals.OwnData bytes.
	Own [OwnBytes]byte
}

// Sender is one flow's algorithm at the sending NIC.
type Sender interface {
	// Handle takes an event and updates the decision in place. e is only
	// valid during the call.
	Handle(event *Event, decision *Decision)
}

// Arrival is a data packet in order at the receiving NIC.
type Arrival struct {
	// Now is the NIC's timer, Clock a reading of its clock in ns.
	Now   unit.Time
	Clock int64
	// TxTime and Baseline are the packet's values, in ns.
	TxTime, Baseline int64
	// Bytes is the packet's payload.
	Bytes unit.Bytes
	// Active is the number of flows that this NIC has itself seen to be on their way to it, this one included: a flow
	// counts from its first data packet until its last packet has arrived, or until it was idle for the NIC's
	// flow_idle, by default eight RTO floors. A receiver knows it without a controller. Range: from 1.
	Active int
	// Own is the packet's own extension, zero beyond Signals.OwnData bytes.
	Own [OwnBytes]byte
	// CE is set if the packet was marked, Last if it ends a message, Resent if it is a retransmission.
	CE, Last, Resent bool
}

// Feedback is a receiver's contribution to the ACK.
type Feedback struct {
	// BaseRate and OneWayDelay go into extension type 2. The wire holds the
	// rate in whole kb/s and the delay in whole ns, rounded down.
	BaseRate    unit.BitRate
	OneWayDelay unit.Duration
	// Own goes into the own extension, the first Signals.OwnAck bytes.
	Own [OwnBytes]byte
}

// Receiver is one flow's algorithm at the receiving NIC.
type Receiver interface {
	// Data sees each data packet that is accepted and fills the ACK.
	Data(arrival *Arrival, feedback *Feedback)
	// Group is called before the first packet with the announcement known then, and again each time the controller
	// announces a change.
	Group(group Group)
}
