package plan

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Collective is an operation of all ranks of a group, such as an all-reduce, and its repetitions: the iterations of a
// training. It is carried out by flows whose messages wait for each other; a rank is a NIC.
//
// Nothing global holds it together. The dependencies of a message or a phase are events at its own NIC, which learns of
// the others only by messages.
type Collective struct {
	// Name is the name of the traffic entry; Operation and Method are words of the
	// package collective.
	Name, Operation, Method string
	// Size is the operation's, as nccl-tests count it: the larger of what a rank
	// puts in and gets out.
	Size unit.Bytes
	// BusFactor times the algorithm bandwidth is the bus bandwidth. Source:
	// NVIDIA nccl-tests, doc/PERFORMANCE.md.
	BusFactor  float64
	Iterations int
	// Groups is the number of equal groups of consecutive ranks into which the hierarchical method divides them; 0 for
	// the other methods.
	Groups int `json:",omitzero"`
	// Start is the beginning of the first iteration's computation.
	Start unit.Time
	// Places are where the ranks run, in their order.
	Places []Place
}

// Place is the location of a rank: NIC numbers the NIC, Rank its place in NIC.Ranks. PhasesPerIteration is the number
// of phases of the rank in each iteration. The first of them is the computation, the last ends when the operation is
// done here: all is received, and all that was sent acknowledged.
type Place struct{ NIC, Rank, PhasesPerIteration int }

// Rank is the part of a collective at one NIC: phases, one after the other,
// from Start on.
type Rank struct {
	Name   string
	Start  unit.Time
	Phases []Phase
}

// Phase begins when the phase before it has ended and all of After has
// happened, and takes Duration.
type Phase struct {
	After    []Await
	Duration unit.Duration
}

// Message is one of a flow that waits for others.
type Message struct{ After []Await }

// Await waits until Count messages of a flow are complete at the NIC that waits,
// which is one of the flow's two: received whole, or acknowledged. Flow
// OwnPhases waits until Count phases of the rank have ended.
type Await struct {
	Flow  int
	Count int64
}

// OwnPhases in place of a flow means the phases of the rank itself.
const OwnPhases = -1
