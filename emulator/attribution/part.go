package attribution

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Part is a cause of the time that a flow took.
type Part uint8

// The parts, in the order of their columns.
const (
	// Alone: its bits leave its NIC or, if that is slower, the narrowest port, or its last packet crosses the empty way.
	Alone Part = iota
	// Shared: the bottleneck was busy with others, and the flow had its fair share.
	Shared
	// Unfair: the bottleneck was busy with others, and they had more than their fair share.
	Unfair
	// HeldBack: the bottleneck was idle, and the sender's own rate or window kept it from being filled.
	HeldBack
	// Collision: the bottleneck was busy while another member of its ECMP group, and the way from there on, was idle.
	Collision
	// Queued: the last packet, or its ACK, waited in queues.
	Queued
	// Paused: PFC held the NIC's port or the bottleneck.
	Paused
	// Repair: resends, the wait for a timeout, a link of the NIC that was down.
	Repair
	// NoRoute: the same, and packets that were sent for the first time, while a link on the flow's way was down, or a
	// switch on it had no route.
	NoRoute
	// Host: the next message waited for others.
	Host
	// Unresolved: the state of the ports in the bin does not show the cause.
	Unresolved
	// NumParts is the number of parts.
	NumParts
)

// names are the words of the parts in sentences and, with underscores, in columns.
var names = [NumParts]string{
	Alone:      "alone",
	Shared:     "shared",
	Unfair:     "unfair",
	HeldBack:   "held back",
	Collision:  "collision",
	Queued:     "queued",
	Paused:     "paused",
	Repair:     "repair",
	NoRoute:    "no route",
	Host:       "host",
	Unresolved: "unresolved",
}

func (p Part) String() string { return names[p] }

// Parts is the time of a flow by cause. The durations are not negative and add up to the time.
type Parts [NumParts]unit.Duration

// Total is the time.
func (p *Parts) Total() (sum unit.Duration) {
	for _, d := range p {
		sum += d
	}
	return sum
}
