package traffic

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Kind is the pattern of an entry.
type Kind uint8

// The patterns.
const (
	// Flow sends from each sender to each receiver.
	Flow Kind = iota
	// Incast sends from every sender to the one receiver.
	Incast
	// Permutation gives each host one destination and one source, none itself:
	// a derangement drawn uniformly.
	Permutation
	// AllToAll sends from every host to every other.
	AllToAll
	// Poisson sends flows of random size from each host to others, drawn
	// uniformly, at exponential gaps.
	Poisson
	// Collective is an operation whose messages wait for each other, which the
	// package collective expands.
	Collective
)

// KindNames are the words of scenarios, in the order of the constants.
var KindNames = []string{"flow", "incast", "permutation", "all-to-all", "poisson", "collective"}

// Order is the order in which a sender of an all-to-all takes its destinations. It determines the order of the flows at
// its NIC, and with a Spacing also the start of each.
type Order uint8

// The orders.
const (
	// Shifted makes host i begin with host i+1, so that at each step every host has one sender.
	Shifted Order = iota
	// Same makes every host begin with host 0, then host 1 and so on: with a spacing, a chain of incasts.
	Same
	// Random shuffles each sender's destinations.
	Random
)

// OrderNames are the words of scenarios, in the order of the constants.
var OrderNames = []string{"shifted", "same", "random"}

// Modes are the words for what the controller knows of an operation, as in
// PC4's Table I.
var Modes = []string{"other", "all-reduce", "all-to-all", "all-gather"}

// Entry is one entry of a scenario's traffic. Hosts are numbers of NICs.
type Entry struct {
	Name string
	Kind Kind
	// Senders and Receivers are the hosts of Flow and Incast; Permutation, AllToAll and Poisson use Senders only. A
	// host that is sender and receiver does not send to itself.
	Senders, Receivers []int
	// SendersPerEvent, if above 0, is the number of senders drawn among Senders for each event of an Incast, besides
	// the receiver; without Receivers the receiver too is drawn among them.
	SendersPerEvent int
	// Events is the number of times that an Incast happens, 0 for once, and Period the time from one to the next.
	Events int
	Period unit.Duration
	// Gaps are the mean times between flows of each sender of a Poisson, Sizes
	// the distribution of their sizes; none starts at Until or later.
	Gaps  []unit.Duration
	Sizes Distribution
	Until unit.Time
	Order Order
	// Flows is the number of flows of each pair. Range: 1 and up.
	Flows int
	// Size is the payload of each flow, 0 for one that sends until it stops.
	Size, Message unit.Bytes
	// Start is the start of the first flow. Spacing is the time from one start to the next: from flow to flow of a Flow
	// or an Incast, from a sender's destination to its next in an AllToAll. The flows of one pair start together.
	Start   unit.Time
	Spacing unit.Duration
	// Jitter, if longer than a frame time, bounds each flow's offset.
	Jitter unit.Duration
	// Stop ends every flow without a size; Duration ends each after that time
	// from its start, offset not counted. One of the two.
	Stop     unit.Time
	Duration unit.Duration
	// DSCP overrides the NIC's code point unless it is negative.
	DSCP int
	// Mode is one of Modes; GroupN as in plan.Flow.
	Mode   string
	GroupN int
	// Algorithm is shared by all flows of the entry.
	Algorithm *plan.Algorithm
}
