package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Sender is what a NIC kept of a flow that it sent.
type Sender struct {
	// Started is when the flow was due, FirstSent when its first bit left,
	// Completed when its last byte was acknowledged; unit.Never where not yet.
	Started, FirstSent, Completed unit.Time
	// Packets and WireBytes count transmissions, Resent those among them
	// that had been sent before. Acked is the payload acknowledged.
	Packets, Resent  uint64
	WireBytes, Acked unit.Bytes
	Acks, NAKs, CNPs uint64
	Expiries
	// RatedCNPs counts those among CNPs that carried a rate of which the
	// algorithm was told.
	RatedCNPs uint64
	// FirstCNP is when the first CNP came, 0 where none did.
	FirstCNP unit.Time
	// Events counts calls of the algorithm, Decisions those after which its
	// rate, window or gap differed.
	Events, Decisions uint64
	// Told counts the signs of congestion that the algorithm asks for and was
	// given, CNPs and ACKs of marked packets, 0 for an algorithm that declares
	// that it does not react. Answers counts those of Decisions that came after
	// the first sign.
	Told, Answers uint64
	// RateMin and RateMax bound the decided rate after the first decision.
	RateMin, RateMax unit.BitRate
	// RTT holds the true round-trip times of packets that were sent once.
	RTT Histogram
	// Sampled holds one of them per round trip: of the first packet that was
	// sent after the last sample's ACK had come.
	Sampled Histogram
	// Swing is how steady those samples are, nil if none counts.
	Swing *Swing
	SenderOver
	// Messages are those that might be sent so far, of a flow whose messages
	// wait for others; Started is then when the first might.
	Messages []Message
	// Laps are the states of the sender between them, nil where states over time are not recorded.
	Laps *MessageLaps
}

// Resume is a time without progress after which a sender went on, Length long, 0 for none.
type Resume struct {
	Length unit.Duration
	// Again is when it last turned back meanwhile, by a timeout if Timeout, else by a NAK.
	Again   unit.Time
	Timeout bool
}

// Expiries are those of a sender's retransmission timer, and the ends of its idle times.
type Expiries struct {
	// IdleRestarts counts how often the QP began again after an idle time by a rule of the NIC.
	IdleRestarts uint64
	// Timeouts counts them.
	Timeouts uint64
	// Failed is when the QP fell into error, since nothing was acknowledged for too long; 0 if it did not.
	Failed unit.Time
	// Resumes are, for each outage on the way of the flow, how it went on after the longest time without progress that
	// met the outage and in which it sent again.
	Resumes []Resume `json:",omitempty"`
}

// SenderOver is a sender over time.
type SenderOver struct {
	// Spent is how long it was in each state, from Started until Completed or until the run ended.
	Spent Spent
	// Sends are its states over time, nil where they are not recorded.
	Sends *SendSeries
	// Over is the flow over time, nil where it has no series of its own.
	Over *Progress
	// Values are what its algorithm told of itself, nil where it names none or none is recorded.
	Values *Values
}

// AckedSeries is the payload acknowledged over time, nil where the flow has no series.
func (s *Sender) AckedSeries() *Series {
	if s.Over == nil {
		return nil
	}
	return &s.Over.Acked
}

// Message is one that waited for others: Ready is when it might be sent,
// Completed when its last byte was acknowledged, unit.Never if it was not.
type Message struct {
	Ready, Completed unit.Time
	// By is the place of what happened last, at Ready, in the list of what it waited for; FollowedAtOnce if nothing
	// was left to wait for when the message before it might be sent.
	By int32
}

// Phases are those of a rank that ended: when they did, and the place of what each of them waited for last in its
// list, as in Message.
type Phases struct {
	Ended []unit.Time
	By    []int32
}

// FollowedAtOnce in the place of what was waited for last means that all had happened: a message might be sent
// together with the one before it, a phase began when the one before it ended.
const FollowedAtOnce = -1

// Receiver is what a NIC kept of a flow that it received.
type Receiver struct {
	// Packets and Bytes were accepted in order; First and Last are when.
	Packets     uint64
	Bytes       unit.Bytes
	First, Last unit.Time
	// Silence is the longest time between one accepted packet and the next,
	// SilentFrom when it began. 0 until there were two.
	Silence    unit.Duration
	SilentFrom unit.Time
	// Gaps are, for each outage on the way of the flow, the longest time without an accepted packet that met it.
	Gaps []Gap `json:",omitempty"`
	// OutOfOrder and Duplicate packets were not; Reordered were kept by an
	// out-of-order receiver.
	OutOfOrder, Duplicate, Reordered uint64
	// Marked arrived CE. CNPs, ACKs and NAKs were sent.
	Marked           uint64
	CNPs, ACKs, NAKs uint64
	// GapCNPs are those among CNPs that went along with the NAK of a gap.
	GapCNPs uint64
	// Queueing is the one-way delay as the receiver's clock read it, less
	// the baseline, where the algorithm asks for it; true queueing stands
	// with the switches' queues.
	Queueing Histogram
}

// Gap is a time in which no packet was accepted: from From on, Length long, 0 for none.
type Gap struct {
	From   unit.Time
	Length unit.Duration
	// NAKs counts those sent meanwhile; NAK is when the last of them was made, NAKBefore the one before it.
	NAKs           uint64
	NAK, NAKBefore unit.Time
}
