package profile

import "github.com/rocelab/rocelab/emulator/unit"

// Proximal is the profile of proximal CNP: a congested switch tells the switch
// next to the sender, its proximal device, which slows the sender down on its
// behalf.
//
// Source: draft-ji-ccwg-distributed-lossless-mechanism-00. The draft leaves open
// what counts as congested, the format of messages, how a degree becomes a number
// of CNPs and how a flow table learns; what stands here is rocelab's proposal for
// those, each part of which can be turned off or replaced.
type Proximal struct {
	// Enabled monitors, notifies and reacts at all. Default false.
	Enabled bool
	// Notify sends messages to other devices. Without it a congested switch
	// reacts for the senders that it is itself next to, and for no others.
	// Default true.
	Notify bool
	// Threshold is the queue length above which a port is congested. 0 takes
	// the Kmin of the class at that port. Default 0.
	Threshold unit.Bytes
	// BufferShare is the share of the buffer in use above which every port with
	// a queue is congested. Range (0, 1]. Default 0.5.
	BufferShare float64
	// Interval is the least time between two messages of a port and class to one
	// device. Default 50 us.
	Interval unit.Duration
	// Map turns a degree of congestion into a number of CNPs, MaxCNPs bounds it.
	// Range of MaxCNPs: 1 to MaxCNPsAtOnce; 1 is what a CNP of the receiver does.
	// Default: MapSlope, 5.
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
	// QPs is how a device learns the sender's QP, which a CNP names and data
	// packets do not. Default QPsFromConnections.
	QPs QPSource
	// Pause answers a message by PFC in place of CNPs: it pauses the sender's
	// class for as long as brings it down to the wanted rate in one interval,
	// which stops every flow of the class at that NIC. What Learning sends as a
	// burst begins are CNPs still. Default false.
	Pause bool
	// Filter drops the receivers' CNPs for flows that the device just slowed
	// down itself. Default false.
	Filter bool
	// Learning is the flow table's.
	Learning ProximalLearning
}

// ProximalLearning is how a proximal device foresees congestion that comes again
// in every period of a training.
type ProximalLearning struct {
	// Enabled sends CNPs at the start of a burst that was congested in the
	// periods before. Default true.
	Enabled bool
	// After is how many equal periods a flow must show. Range 1 to MaxEqualPeriods: 2 compares
	// two intervals; 1 acts at the next burst, before a period is known. Default
	// 2.
	After int
	// Gap is the least silence that parts two bursts of a flow; a tenth of the
	// period where that is longer. Default 2.4 ms, two round trips of 120 km.
	Gap unit.Duration
	// Recheck is every how many periods the device lets one pass without acting,
	// to see whether the congestion is still there. Range: LeastRecheck and up. Default 8.
	Recheck int
	// Capacity is how many flows the table holds; the one that was idle longest
	// makes room. Range 1 to MaxFlowTable. Default 4096.
	Capacity int
	// Age is how long a flow may be idle before it is forgotten; three periods
	// where that is longer. Default 5 s.
	Age unit.Duration
}

// ProximalMap is a rule from degree to a number of CNPs.
type ProximalMap uint8

// The maps.
const (
	// MapSlope works out how many cuts of alpha/2 bring the arrivals down to
	// what the port drains, less what is above the threshold.
	MapSlope ProximalMap = iota
	// MapLinear sends more the fuller the queue or the buffer is.
	MapLinear
	// MapFixed always sends the same number.
	MapFixed
)

// ProximalMapNames are the words of scenarios, in the order of the constants.
var ProximalMapNames = []string{"slope", "linear", "fixed"}

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
		Notify:      true,
		BufferShare: 0.5,
		Interval:    50 * unit.Microsecond,
		Map:         MapSlope,
		MaxCNPs:     5,
		CNPs:        1,
		Spacing:     4 * unit.Microsecond,
		Gain:        5.0 / 1024,
		GainPeriod:  unit.Microsecond,
		DSCP:        48,
		Learning: ProximalLearning{
			Enabled:  true,
			After:    2,
			Gap:      2400 * unit.Microsecond,
			Recheck:  8,
			Capacity: 4096,
			Age:      5 * unit.Second,
		},
	}
}
