package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Proximal counts what proximal CNP did at one switch.
type Proximal struct {
	// Sent and Received count notification messages by type; the numbers are
	// as on the wire.
	Sent, Received [proximalTypes]uint64
	// Ignored counts messages, or flows of messages, that came to nothing.
	Ignored [NumProximalIgnored]uint64
	// CNPs counts those made here, Preemptive those among them that held a
	// learned flow to its share; Pauses the PFC frames sent in their place, Filtered
	// the receivers' CNPs held back. Rated counts those among CNPs that carried a rate.
	CNPs, Preemptive, Pauses, Filtered, Rated uint64
	// Learned counts flows whose congestion was learned, Forgotten flows for which that was taken back, Aged and
	// Evicted entries that were idle too long or made room. Flows is the largest number of entries at a time.
	Learned, Forgotten, Aged, Evicted, Flows uint64
	// Actions are the actions in the order of time, up to maxProximalActions of them; Omitted counts the rest.
	Actions []ProximalAction
	Omitted uint64
}

// proximalTypes is one more than the highest type of a message.
const proximalTypes = 5

// maxProximalActions bounds what a switch records one by one.
const maxProximalActions = 1 << 16

// ProximalIgnored is the reason why a message, or a flow in it, had no effect.
type ProximalIgnored uint8

// The reasons.
const (
	// IgnoredMalformed: it is not a message of this format.
	IgnoredMalformed ProximalIgnored = iota
	// IgnoredSpoofed: it came in at a port that leads to a NIC, or its source
	// is not the device that it names, or it is for silence about a flow whose
	// sender hangs on another one.
	IgnoredSpoofed
	// IgnoredReplayed: its sequence number came before.
	IgnoredReplayed
	// IgnoredStale: it is older than its lifetime, or from the future.
	IgnoredStale
	// IgnoredUnknownFlow: the flow is not in the table, or not from a NIC here.
	IgnoredUnknownFlow
	// IgnoredUnknownQP: the sender's QP is not known yet.
	IgnoredUnknownQP
	// IgnoredHeld: the device reacted to that port for the flow less than a
	// feedback loop ago.
	IgnoredHeld
	NumProximalIgnored
)

// ProximalIgnoredNames are the reasons' names in files.
var ProximalIgnoredNames = [NumProximalIgnored]string{"malformed", "spoofed", "replayed", "stale", "unknown_flow",
	"unknown_qp", "held"}

// ProximalKind is the kind of a switch's action.
type ProximalKind uint8

// The kinds.
const (
	ProximalCongested ProximalKind = iota // one of its ports is congested, and a device is told or acts itself
	ProximalClear                         // congestion of a port is over
	ProximalReact                         // CNPs for a flow, after a message or congestion here
	ProximalPreempt                       // CNPs or a pause for a learned flow above its share
	ProximalShare                         // devices that hold learned flows to shares are told of how many flows share
	ProximalLearn                         // congestion of a flow is foreseen from now on
	ProximalForget                        // no longer
	ProximalPause                         // a sender's class is paused
	ProximalAge                           // a flow was idle too long
	ProximalEvict                         // a flow made room for another
	NumProximalKinds
)

// ProximalKindNames are the kinds' names in files.
var ProximalKindNames = [NumProximalKinds]string{"congested", "clear", "react", "preempt", "share", "learn", "forget",
	"pause", "age", "evict"}

// ProximalAction is one thing that a switch did.
type ProximalAction struct {
	At   unit.Time
	Kind ProximalKind
	// Peer is the other switch: the receiver or the sender of the message; the switch itself if there is none.
	Peer int
	// Port and Class locate the congested queue, Depth is its length and
	// Flows the flows that a message names.
	Port  uint16
	Class uint8
	Depth unit.Bytes
	Flows int
	// SrcIP, DstIP and DstQP name the flow, 0 if the action does not concern one; CNPs is the number of CNPs for it,
	// Rate the rate that they carry, 0 for none.
	SrcIP, DstIP, DstQP uint32
	CNPs                int
	Rate                unit.BitRate
}

// Note records an action.
func (p *Proximal) Note(action ProximalAction) {
	if len(p.Actions) == maxProximalActions {
		p.Omitted++
		return
	}
	p.Actions = append(p.Actions, action)
}
