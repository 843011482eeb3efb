package profile

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Proximal is the profile of proximal CNP: a congested switch notifies the switch next to the sender, its proximal
// device, which slows the sender down on its behalf.
//
// Source: draft-ji-ccwg-distributed-lossless-mechanism-00. The draft leaves open when a queue counts as congested, the
// format of messages, how a degree becomes a number of CNPs and how a flow table learns; the settings for those are
// rocelab's proposal, and each part can be turned off or replaced.
type Proximal struct {
	// Enabled monitors, notifies and reacts at all. Default false.
	Enabled bool
	// Notify selects the flows that other devices are notified of. A congested switch reacts in any case for the
	// senders that it is itself next to. Default NotifyNearer.
	Notify ProximalNotify
	// Threshold is the queue length above which a port is congested. 0 computes
	// it, as ThresholdAt. Default 0.
	Threshold unit.Bytes
	// BufferShare is the share of the buffer in use above which every port with
	// a queue is congested. Range (0, 1]. Default 0.5.
	BufferShare float64
	// Interval is the least time between two messages of a port and class to one
	// device. Default 50 us.
	Interval unit.Duration
	// Map turns a degree of congestion into a number of CNPs, MaxCNPs bounds it. Range of MaxCNPs: 1 to MaxCNPsAtOnce;
	// 1 has the effect of a CNP of the receiver. Default: MapFair, 64.
	Map     ProximalMap
	MaxCNPs int
	// CNPs is the number that MapFixed sends. Range 1 to MaxCNPsAtOnce. Default 1.
	CNPs int
	// Spacing is the time between two CNPs for one flow: a reaction point cuts
	// at most once in its period. Default 4 us, rate_reduce_monitor_period of
	// ConnectX NICs; 50 us for the point of the DCQCN paper.
	Spacing unit.Duration
	// Gain and GainPeriod are g and the period of the alpha clock of the
	// senders' reaction point, whose alpha the device follows. Range of Gain
	// (0, 1). Default 5/1024 and 1 us, the values of ConnectX NICs.
	Gain       float64
	GainPeriod unit.Duration
	// DSCP is the code point of messages and CNPs. Default 48.
	DSCP uint8
	// QPs is a device's way to learn the sender's QP, which a CNP names and data packets do not. Default
	// QPsFromConnections.
	QPs QPSource
	// Pause answers a message by PFC in place of CNPs: it pauses a flow's
	// class at its sender for as long as brings it down to the wanted rate in one interval,
	// which stops every flow of the class at that NIC. What holds learned flows to
	// their shares are pauses, too. Default false.
	Pause bool
	// Rate makes a CNP carry the rate that the flow may send at, its share of the congested port: see
	// wire.Frame.SetCNPRate. It takes the place of several CNPs, and Map, MaxCNPs and CNPs are then ignored. A rate
	// also raises a flow that was cut below its share, so it is of use with NotifyAlways: if the message is no faster
	// than the receiver's CNPs it still carries information that they cannot. NICs whose algorithm does not know rates
	// take it as any CNP. The CNPs of Learning at the beginning of a burst do not have one. Not with Pause. Default
	// false. Source: "other flow control packets" of the draft, section 3.
	Rate bool
	// Filter drops the receivers' CNPs for a flow while a point is congested for it
	// that the device reacts for, and for one end-to-end loop after: those are for the
	// queue that is dealt with. It holds where the point's loop is at most half the
	// end-to-end one. Default true.
	Filter bool
	// Learning is the flow table's.
	Learning ProximalLearning
}

// ThresholdAt returns the queue length above which a port that drains at rate is congested; loop is the feedback loop
// to the farthest device that it notifies:
//
//	min(Kmin / 2, 1.5 rate max(loop, interval))
//
// without the first if the port does not mark, and kmin is 0. A queue can be held to no less than the volume that comes
// before the senders hear of it. Half of Kmin leaves room in which nothing is marked: a mark brings a CNP of the
// receiver for a queue that is dealt with by then. No source: rocelab's proposal.
func (p *Proximal) ThresholdAt(rate unit.BitRate, kmin unit.Bytes, loop unit.Duration) unit.Bytes {
	if p.Threshold > 0 {
		return p.Threshold
	}
	threshold := rate.BytesIn(max(loop, p.Interval)).Scale(3, 2)
	if kmin > 0 {
		threshold = min(threshold, kmin/2)
	}
	return threshold
}

// Halving is the time in which the CNPs of switches, without others, halve a flow's rate, if each message is answered
// by n of them, one an alpha period at most. In the long run alpha is the share of its clock's ticks before which a CNP
// came, and each CNP cuts by half of it.
func (p *Proximal) Halving(n int) unit.Duration {
	n = max(1, min(n, int(p.Interval/max(p.Spacing, 1))))
	alpha := min(1, float64(n)*p.GainPeriod.Seconds()/p.Interval.Seconds())
	intervals := math.Ln2 / float64(n) / -math.Log(1-float64(alpha/2))
	return unit.Whole[unit.Duration](math.Ceil(intervals*p.Interval.Microseconds())) * unit.Microsecond
}

// ProximalNotify selects the flows whose devices a congested switch notifies.
type ProximalNotify uint8

// The choices.
const (
	// NotifyNearer: flows for which the way to the sender and back takes at most half as long as the flow's loop from
	// its receiver. Beyond that the receiver's own CNP is as quick.
	NotifyNearer ProximalNotify = iota
	// NotifyAlways: of all.
	NotifyAlways
	// NotifyNever: of none.
	NotifyNever
)

// ProximalNotifyNames are the words of scenarios, in the order of the constants.
var ProximalNotifyNames = []string{"nearer", "always", "never"}

// ProximalLearning is the way in which a proximal device foresees congestion that recurs in every period of a training.
type ProximalLearning struct {
	// Enabled holds a flow to its share of the congested port, from the burst after
	// two that met congestion with one number of flows on, until that number is another.
	// Default true.
	Enabled bool
	// Gap is the least silence between two bursts of a flow; a tenth of the period if that is longer. Default 2.4 ms,
	// two round trips of 120 km.
	Gap unit.Duration
	// Capacity is the number of flows that the table holds; the one that was idle longest makes room. Range 1 to
	// MaxFlowTable. Default 4096.
	Capacity int
	// Age is how long a flow may be idle before it is forgotten; three periods if that is longer. Default 5 s.
	Age unit.Duration
}

// ProximalMap is a rule from degree to a number of CNPs.
type ProximalMap uint8

// The maps.
const (
	// MapFair works out how many cuts of alpha/2 bring a flow down to its fair
	// share of the port, less what drains the queue, from what it sends.
	MapFair ProximalMap = iota
	// MapLinear sends more the fuller the queue or the buffer is.
	MapLinear
	// MapFixed always sends the same number.
	MapFixed
)

// ProximalMapNames are the words of scenarios, in the order of the constants.
var ProximalMapNames = []string{"fair", "linear", "fixed"}

// QPSource is where a device knows the senders' QPs from.
type QPSource uint8

// The sources.
const (
	// QPsFromConnections: the device took part in, or overheard, the set-up of
	// the connection, which names both QPs (IBA volume 1, 12.6).
	QPsFromConnections QPSource = iota
	// QPsFromAnswers: the device reads them from the ACKs and CNPs that come
	// back through it with the addresses swapped and the same UDP source port.
	// It can say nothing to a sender before its first answer: a round trip.
	QPsFromAnswers
)

// QPSourceNames are the words of scenarios, in the order of the constants.
var QPSourceNames = []string{"connections", "answers"}

// DefaultProximal returns the profile that a switch gets.
func DefaultProximal() Proximal {
	return Proximal{
		Notify:      NotifyNearer,
		BufferShare: 0.5,
		Interval:    50 * unit.Microsecond,
		Map:         MapFair,
		MaxCNPs:     64,
		CNPs:        1,
		Spacing:     4 * unit.Microsecond,
		Gain:        5.0 / 1024,
		GainPeriod:  unit.Microsecond,
		DSCP:        48,
		Filter:      true,
		Learning: ProximalLearning{
			Enabled:  true,
			Gap:      2400 * unit.Microsecond,
			Capacity: 4096,
			Age:      5 * unit.Second,
		},
	}
}
