package record

import (
	"reflect"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Sender is a NIC's record of a flow that it sent; make one with NewSender.
type Sender struct {
	// Started is the time at which the flow was due, FirstSent the time at which its first bit left, Completed the time
	// at which its last byte was acknowledged; unit.Never if not yet.
	Started, FirstSent, Completed unit.Time
	// Packets and WireBytes count transmissions. Acked is the payload acknowledged.
	Packets          uint64
	WireBytes, Acked unit.Bytes
	Acks             uint64
	// Events counts calls of the algorithm, Decisions the calls after which its rate, window or gap differed.
	Events, Decisions uint64
	// RateMin and RateMax bound the decided rate after the first decision.
	RateMin, RateMax unit.BitRate
	// RTT holds the true round-trip times of packets that were sent once.
	RTT Histogram
	// Sampled holds one of them per round trip: of the first packet that was
	// sent after the last sample's ACK had come.
	Sampled Histogram
	SenderOver
	*SenderExtra
}

// SenderExtra is the part of a sender's record that a short flow without congestion has nothing in. Such flows share
// one once they have ended: see Trim.
type SenderExtra struct {
	// Resent counts the transmissions of packets that had been sent before.
	Resent     uint64
	NAKs, CNPs uint64
	Expiries
	// RatedCNPs counts the CNPs with a rate that were passed to the algorithm.
	RatedCNPs uint64
	// FirstCNP is the time of the first CNP, 0 if none came.
	FirstCNP unit.Time
	// Told counts the signs of congestion, CNPs and ACKs of marked packets, that the algorithm asks for and received; 0
	// for an algorithm that declares that it does not react. Answers counts the Decisions after the first sign.
	Told, Answers uint64
	// Swing is the steadiness of the sampled RTTs, nil if none counts.
	Swing *Swing
	// Messages are the messages that were ready to be sent so far, for a flow whose messages wait for others; Started
	// is then the time at which the first became ready.
	Messages []Message
	// Laps are the states of the sender between them, nil where states over time are not recorded.
	Laps *MessageLaps
}

// noSenderExtra and noReceiverExtra are shared by records with nothing in their extra part. They are never written to.
var (
	noSenderExtra   SenderExtra
	noReceiverExtra ReceiverExtra
)

// NewSender returns the record of a flow that has not begun.
func NewSender() *Sender {
	return &Sender{FirstSent: unit.Never, Completed: unit.Never, SenderExtra: &SenderExtra{Swing: new(Swing)}}
}

// Trim gives back the room that nothing needs so far. Own must be called before more is counted.
func (s *Sender) Trim() {
	s.RTT.Trim()
	s.Sampled.Trim()
	if s.Swing.Count() == 0 {
		s.Swing = nil
	}
	if reflect.ValueOf(s.SenderExtra).Elem().IsZero() {
		s.SenderExtra = &noSenderExtra
	}
}

// Own makes room again after Trim, except for the Swing.
func (s *Sender) Own() {
	if s.SenderExtra == &noSenderExtra {
		s.SenderExtra = new(SenderExtra)
	}
}

// Resume is a time without progress after which a sender went on, Length long, 0 for none.
type Resume struct {
	Length unit.Duration
	// Again is the time at which it last turned back meanwhile, by a timeout if Timeout, else by a NAK.
	Again   unit.Time
	Timeout bool
}

// Expiries are the expiries of a sender's retransmission timer, and the ends of its idle times.
type Expiries struct {
	// IdleRestarts counts how often the QP began again after an idle time by a rule of the NIC.
	IdleRestarts uint64
	// Timeouts counts them.
	Timeouts uint64
	// Failed is the time at which the QP went into error after waiting too long for an acknowledgement; 0 if it did
	// not.
	Failed unit.Time
	// Resumes are, for each outage on the way of the flow, the longest time without progress that met the outage and in
	// which the flow sent again.
	Resumes []Resume `json:",omitempty"`
}

// SenderOver is a sender over time.
type SenderOver struct {
	// Spent is the time in each state, from Started until Completed or the end of the run.
	Spent Spent
	// Sends are its states over time, nil if they are not recorded.
	Sends *SendSeries
	// Over is the flow over time, nil if it has no series of its own.
	Over *Progress
	// Values are the values that its algorithm reported, nil if it names none or none is recorded.
	Values *Values
}

// AckedSeries is the payload acknowledged over time, nil where the flow has no series.
func (s *Sender) AckedSeries() *Series {
	if s.Over == nil {
		return nil
	}
	return &s.Over.Acked
}

// Message is a message that waited for others: Ready is the time at which it could be sent, Completed the time at which
// its last byte was acknowledged, unit.Never if it was not.
type Message struct {
	Ready, Completed unit.Time
	// By is the place of what happened last, at Ready, in the list of what it waited for; FollowedAtOnce if nothing
	// was left to wait for when the message before it might be sent.
	By int32
}

// Phases are the finished phases of a rank: their ends, and for each the place, in its list of dependencies, of the one
// that happened last, as in Message.
type Phases struct {
	Ended []unit.Time
	By    []int32
}

// FollowedAtOnce as that place means that every dependency had already happened: a message could be sent together with
// the one before it, a phase began when the one before it ended.
const FollowedAtOnce = -1

// Receiver is a NIC's record of a flow that it received; make one with NewReceiver.
type Receiver struct {
	// Packets and Bytes were accepted in order, the first at First and the last at Last.
	Packets     uint64
	Bytes       unit.Bytes
	First, Last unit.Time
	// Silence is the longest time between one accepted packet and the next,
	// SilentFrom when it began. 0 until there were two.
	Silence    unit.Duration
	SilentFrom unit.Time
	ACKs       uint64
	*ReceiverExtra
}

// ReceiverExtra is to a receiver's record as SenderExtra is to a sender's.
type ReceiverExtra struct {
	// Gaps are, for each outage on the way of the flow, the longest time without an accepted packet that met it.
	Gaps []Gap `json:",omitempty"`
	// OutOfOrder and Duplicate packets were not; Reordered were kept by an
	// out-of-order receiver.
	OutOfOrder, Duplicate, Reordered uint64
	// Marked arrived CE. CNPs and NAKs were sent.
	Marked     uint64
	CNPs, NAKs uint64
	// GapCNPs are those among CNPs that went along with the NAK of a gap.
	GapCNPs uint64
	// Queueing is the one-way delay as the receiver's clock read it, less the baseline, if the algorithm asks for it;
	// true queueing is recorded with the switches' queues.
	Queueing Histogram
}

// NewReceiver returns the record of a flow without any packets yet.
func NewReceiver() *Receiver {
	return &Receiver{First: unit.Never, Last: unit.Never, ReceiverExtra: new(ReceiverExtra)}
}

// Trim gives back the room that nothing needs so far. Own must be called before more is counted.
func (r *Receiver) Trim() {
	r.Queueing.Trim()
	if reflect.ValueOf(r.ReceiverExtra).Elem().IsZero() {
		r.ReceiverExtra = &noReceiverExtra
	}
}

// Own makes room again after Trim.
func (r *Receiver) Own() {
	if r.ReceiverExtra == &noReceiverExtra {
		r.ReceiverExtra = new(ReceiverExtra)
	}
}

// Gap is a time during which no packet was accepted: from From on, Length long, 0 for none.
type Gap struct {
	From   unit.Time
	Length unit.Duration
	// NAKs counts the NAKs sent meanwhile; NAK is the time of the last of them, NAKBefore the time of the one before
	// it.
	NAKs           uint64
	NAK, NAKBefore unit.Time
}
