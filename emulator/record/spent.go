package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// SendState is the state of a flow's sender at an instant: it sends, or one thing keeps it from sending.
type SendState uint8

// The states, in the order of their columns. Each instant between the start of a flow and its completion has one.
const (
	// Sending: the port sends a packet of the flow that was never sent before.
	Sending SendState = iota
	// PortBusy: the next packet is due, and the port sends frames of others.
	PortBusy
	// Paced: the pacer holds the next packet back: the rate or the gap in force.
	Paced
	// WindowClosed: the window in force, or the most packets that may be unacknowledged, holds the next packet back; on a
	// connection to a real stack its window, its bound of READs, or the stack's credits do, too.
	WindowClosed
	// Paused: the next packet is due, and the peer of the NIC holds its class by PFC.
	Paused
	// Repairing: packets are sent again, from the NAK or the timeout until the flow is where it was before; the wait
	// that a timeout ended, from the last progress on; the next packet is due, and the link is down.
	Repairing
	// NothingToSend: the next message waits for others, or there is none before the end of the run.
	NothingToSend
	// InFlight: all was sent, and acknowledgements are missing.
	InFlight
	// NoRoute: as Repairing, and a packet of the flow that is sent for the first time, while a link on the way of the
	// flow is down, or a switch on it has no route.
	NoRoute
	// SendStates is the number of states.
	SendStates
)

// Spent is the time of a sender in each state. The durations add up to the total time.
type Spent [SendStates]unit.Duration

// Total is the time that s is of.
func (s *Spent) Total() (sum unit.Duration) {
	for _, d := range s {
		sum += d
	}
	return sum
}
