package notification

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Sizes in bytes, and the most flows that a message lists.
const (
	HeaderLen = 60
	FlowLen   = 24
	MaxFlows  = 8
	MaxLen    = HeaderLen + MaxFlows*FlowLen
)

// Type is the request of a message.
type Type uint8

// The types. The draft has the first as a message; that the congested switch
// falls silent about flows that the proximal one has learned is in the draft too,
// how it gets to know of them is not.
const (
	// Congestion goes from the congested switch to the proximal one: the port
	// is congested by these flows.
	Congestion Type = 1
	// Learned goes back: the proximal switch acts on these flows by itself, no
	// Congestion is needed for them.
	Learned Type = 2
	// Clear follows a Congestion when it has ended.
	Clear Type = 3
	// Release takes a Learned back.
	Release Type = 4
)

// String returns the type's name in lower case.
func (t Type) String() string {
	switch t {
	case Congestion:
		return "congestion"
	case Learned:
		return "learned"
	case Clear:
		return "clear"
	case Release:
		return "release"
	}
	return fmt.Sprintf("type %d", uint8(t))
}

// Message is one notification. Port, Depth and Usage are the draft's fields; the rest is rocelab's addition. Unused
// fields are 0.
type Message struct {
	// Type is one of the four above.
	Type Type
	// Origin is the device number of the switch that made the message.
	Origin uint32
	// Sequence counts the messages of the origin, modulo 2^32, so that one
	// that is late or double shows.
	Sequence uint32
	// Time is the time at which the origin made the message, by its own clock. Unit: whole ns on the wire. Range: 0 to
	// the last ns of unit.Time.
	Time unit.Time
	// Port is the number of the congested egress port: at the origin, or, of a
	// Learned or a Release, at the switch that it goes to.
	Port uint16
	// Priority is the congested queue's class. Range: 0 to 7.
	Priority uint8
	// Depth is the queue's length at Time (q1), Before its length one
	// measurement earlier (q0). Range: up to 2^32-1 bytes.
	Depth, Before unit.Bytes
	// Elapsed is the time between the two (t1 - t0), 0 if there is no Before: the queue grows at the rate (Depth -
	// Before) / Elapsed. Unit: whole ns. Range: up to 2^32-1 ns, 4.29 s.
	Elapsed unit.Duration
	// Rate is the port's line rate. Unit: whole Mb/s. Range: up to 2^32-1 Mb/s.
	Rate unit.BitRate
	// Usage is the share of the switch's buffer in use at Time. Unit: 1/65535 of
	// the pool.
	Usage uint16
	// Degree is the origin's own estimate of how heavy the congestion is. Unit:
	// 1/65535; 0 none, 65535 as heavy as it can be.
	Degree uint16
	// Threshold is the queue length above which the origin counts the queue as congested for proximal CNP, a measure
	// for Depth. Kmax is the marking's upper threshold, at least Threshold; from there on Degree has its largest value.
	// Range: up to 2^32-1 bytes.
	Threshold, Kmax unit.Bytes
	// Lifetime is the validity of a Congestion or a Learned if none follows. Unit: whole us. Range: up to 2^32-1 us,
	// 71.6 min.
	Lifetime unit.Duration
	// Live is the number of flows with bytes in the congested queue, including flows that the message does not list:
	// each may have 1/Live of the port's rate. In a Congestion, 0 in the others. Range: 0 to 65535.
	Live uint16
	// Level is the share of the port's rate that a flow sending more than others may have if the others keep their
	// rates; 1/Live if all send the same. In a Congestion, 0 in the others. Unit: 1/65535.
	Level uint16
	// Count is the number of Flows that are listed; the others are not on the wire and are zero. Range: 0 to 8.
	Count uint8
	Flows [MaxFlows]Flow
}

// Flow is one of the flows that the message is about. Its sender is behind the
// proximal switch.
type Flow struct {
	// SrcIP and DstIP are the IPv4 addresses of its data packets, most
	// significant byte first.
	SrcIP, DstIP uint32
	// DstQP is the QP number in its data packets, SrcQP its sender's, which CNPs are addressed to and which data
	// packets do not carry: 0 if the origin does not know it. Range: 24 bits.
	DstQP, SrcQP uint32
	// Bytes is the number of the flow's bytes in the queue. Range: up to 2^32-1 bytes.
	Bytes unit.Bytes
	// SrcPort is the UDP source port of its data packets.
	SrcPort uint16
	// Share is its share of the queue's bytes. Unit: 1/65535.
	Share uint16
}

// Len returns the message's bytes on the wire.
func (m *Message) Len() int { return HeaderLen + FlowLen*min(int(m.Count), MaxFlows) }
