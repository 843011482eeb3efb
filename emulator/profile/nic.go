package profile

import "github.com/rocelab/rocelab/plugins/cc/unit"

// NIC is the profile of a NIC.
type NIC struct {
	// Adapter is the name of the Adapter whose figures are the defaults, "" for none.
	Adapter string
	// DataDSCP and CNPDSCP are the code points of data and of CNPs. Defaults
	// 26 and 48 (NVIDIA's RoCE defaults).
	DataDSCP, CNPDSCP uint8
	// AckWithData sends ACKs in the data's class, in which they queue with data and stop with its pauses; the default
	// sends them in the CNPs' class.
	AckWithData bool
	// AckEvery is the number of packets per ACK. Range 1 to 1024. Default 1.
	// The sender asks for the ACK, also at the last packet of a message and at
	// the last that its window lets through.
	AckEvery int
	// AckFlush is the time after which a receiver acknowledges without being asked the packets that AckEvery still
	// holds back. Default 0: never, as a tester at 400 Gb/s, which sent one ACK for each 32 packets at 1 ms of queueing
	// (sonic-net, sonic-mgmt, pull request 25347).
	AckFlush unit.Duration
	// OutOfOrder keeps packets that arrive ahead of the expected PSN and asks
	// for the missing ones; the default discards them and goes back N.
	OutOfOrder bool
	// Selective keeps them, too, and reports the packets it has, so that the sender sends lost packets again and
	// nothing else. Default false; not with OutOfOrder.
	Selective bool
	// Window is the number of packets beyond the expected one that a Selective receiver keeps track of, and so the
	// number that a QP leaves unacknowledged. Range 64 to MostWindow, a power of 2. Default 0: see WindowOver.
	Window int
	// ReorderTime and ReorderDepth are the age, and the depth in packets, that a gap may reach before the out-of-order
	// receiver reports it. Defaults 10 us and 64 packets. With Selective ReorderTime is how much later than a missing
	// packet an arrived one must have started for the missing one to count as lost.
	ReorderTime  unit.Duration
	ReorderDepth int
	// NAK decides when a go-back-N receiver reports a gap again. Default NAKOnce. A receiver that keeps early packets
	// repeats its NAK once a base RTT.
	NAK NAKRule
	// NAKInterval is the least time between two NAKs for one expected PSN with NAKEachInterval.
	// Default 500 us; one NAK is always sent when the gap appears.
	NAKInterval unit.Duration
	// RTOFloor, RTOFactor and RTOInitial make the retransmission timeout of RTOMeasured:
	// max(RTOFloor, RTOFactor x measured RTT), RTOInitial until the first
	// sample. Defaults 4 ms, 4, 16 ms.
	RTOFloor, RTOInitial unit.Duration
	RTOFactor            int
	// RTO determines the retransmission timeout: its mode, and the settings of all modes.
	RTO RTO
	// GapCNP makes a receiver send a CNP along with the NAK of a gap, if the flow's algorithm hears CNPs. Default
	// false.
	GapCNP bool
	// SendWindow bounds the payload that a QP leaves unacknowledged, beside what its algorithm
	// allows; less than a packet may exceed it. 0, the default, is without bound.
	SendWindow unit.Bytes
	// Host has the settings that depend on the host: its messages, and how fast it takes data.
	Host Host
	// FlowIdle is how long a receiving flow may be silent before the NIC no longer counts it among the flows on their
	// way to it. 0 takes eight RTO floors: a flow that waits for a timeout still counts.
	FlowIdle unit.Duration
	// DecisionDelay is the model time between an event and the moment its
	// decision takes effect. Default 0.
	DecisionDelay unit.Duration
	// Repace restarts the timing of a gap that a flow has begun when its pace changes. Default true; false keeps it,
	// and the pace holds from the next packet on.
	Repace bool
	// QPsByNumber serves the sending QPs that are due in the order of their numbers, from the one after the last on;
	// the default serves them in the order in which they became due.
	QPsByNumber bool
	// PFC honours pauses. Default true. ClassOf maps DSCP to the class that a
	// pause names; its default is the switch's.
	PFC     bool
	ClassOf [64]uint8
	// PauseResponse is the time until the NIC obeys a pause. ByRate is the longest that IEEE 802.3 allows. Default
	// ByRate.
	PauseResponse unit.Duration

	Clock Clock
	// Storms are the spans during which the NIC is broken. They are in the order of the scenario; spans of one class
	// are disjoint. Default none.
	Storms []Storm
}

// Storm is a span [From, To) during which a NIC pauses a class of its link without need, like one whose receiving
// pipeline is stuck (Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016, section 4.3). Its pause never
// runs out before To, at which XON ends it at once. The NIC's own watchdog of that paper silences the NIC instead, and
// the last pause runs out by itself: a To that is later by up to 65535 quanta, 335.5 us at 100 Gb/s, means that.
type Storm struct {
	// Class is the class that is paused. Range 0 to 7.
	Class uint8
	// From and To bound the span; To is unit.Never for a NIC that stays
	// broken.
	From, To unit.Time
}

// Clock is the error of a NIC's clock.
type Clock struct {
	// Offset bounds the offset from true time: each NIC draws one from
	// U(-Offset, Offset). Default 0.
	Offset unit.Duration
	// DriftPPM bounds the drift in parts per million, drawn likewise; Resync is the period after which the clock is set
	// to its offset again, 0 for never. Defaults 0.
	DriftPPM float64
	Resync   unit.Duration
	// Noise is added to each reading: uniform in (-Noise, Noise), or Gaussian
	// with that standard deviation. Default 0.
	Noise    unit.Duration
	Gaussian bool
	// BothEnds draws noise for the sender's readings as well as for the
	// receiver's. The default, receiver only, adds one term to a one-way
	// delay; both ends add two, whose sum is triangular.
	BothEnds bool
}

// MostWindow is the longest Window.
const MostWindow = 1 << 20

// leastWindow is the packets that a report of a Selective receiver covers.
const leastWindow = 64

// WindowOver returns the window in packets over a path of the given base RTT, with the given time of a packet. The
// default is the least power of 2 that is twice the bandwidth-delay product and more, ReorderTime added to the RTT: a
// lost packet is found after both, and repaired a round trip later.
func (n *NIC) WindowOver(rtt, packet unit.Duration) int64 {
	if n.Window > 0 {
		return int64(n.Window)
	}
	window := int64(leastWindow)
	for window*int64(packet) < 2*int64(rtt+n.ReorderTime) && window < MostWindow {
		window *= 2
	}
	return window
}

// DefaultNIC returns the profile of a scenario without settings of its own.
func DefaultNIC() NIC {
	settings := NIC{
		DataDSCP:      26,
		CNPDSCP:       48,
		AckEvery:      1,
		ReorderTime:   10 * unit.Microsecond,
		ReorderDepth:  64,
		NAKInterval:   500 * unit.Microsecond,
		RTOFloor:      4 * unit.Millisecond,
		RTOInitial:    16 * unit.Millisecond,
		RTOFactor:     4,
		RTO:           defaultRTO,
		Host:          Host{Intake: Intake{Buffer: 256 << 10}},
		Repace:        true,
		PFC:           true,
		PauseResponse: ByRate,
	}
	settings.ClassOf[26], settings.ClassOf[48], settings.ClassOf[56] = 3, 6, 7
	return settings
}
