package result

import (
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Outcome is all that a runner brings back from a run; everything that is
// printed or written follows from it.
type Outcome struct {
	Plan *plan.Plan
	// End is the instant at which the run ended. Interrupted says that it was
	// stopped from outside before, Exhausted that it reached the plan's Limit
	// with flows incomplete.
	End                    unit.Time
	Interrupted, Exhausted bool
	// Trace is the run's fingerprint. Traces are what it was at instants before, and
	// NodeTraces the nodes' own at End, in the order of the plan's nodes.
	Trace      uint64
	Traces     []TraceAt
	NodeTraces []trace.Hash

	// Switches, NICs, long-haul paths and devices are in the plan's order, Flows
	// too.
	Switches []Switch
	NICs     []record.Port
	WANs     []WAN
	Devices  []Device
	Flows    []Flow
	// Groups are the flows of each group over time, in the order of the plan's Groups; nil where
	// flows have series of their own, or nothing is recorded.
	Groups []record.Progress
	// Recorded says what the series are, nil where nothing is recorded.
	Recorded *Recorded
	// Bound is the least that an iteration takes, nil where no bound is known.
	Bound *plan.Bound
	// Slow are the slowest flows, the slowest first, and what they met on their way.
	Slow []SlowFlow
	// Dark are the paths that lead nowhere at the end of the run; see FindDark.
	Dark []Dark
	// Phases are, for each NIC and each rank at it, when its phases ended, for
	// those that did.
	Phases [][][]unit.Time
	// InFlight is what was on each direction of each link at End, by LinkID.
	InFlight []Flight
	// Deadlocks are the cycles of paused queues of which none moved.
	Deadlocks []Deadlock

	// Windows, Events and Hops count the engine's work; Wall is how long it
	// took, Runner and Workers how it was done. They go into host.json: two
	// runs of one plan may differ in Wall and what follows it alone.
	Windows, Events, Hops uint64
	Wall                  time.Duration
	Runner                string
	Workers               int
	// Daemons says, of a run on a testbed, how many nodes a process hosted.
	Daemons string
	// Hosts are what became of the commands of hosts with their own stack.
	Hosts []HostCommand
	// Unlike says how a replay differs from the run that it should be, "" if it does not.
	Unlike string
	// Remarks are what the host did that is worth knowing and changed nothing
	// of the result, such as frames of others on a link.
	Remarks []string
	// Time is how well a live run kept the clock on the wall, nil but for those.
	Time *Timing

	// sheets are the sheets of single kinds of nodes.
	sheets []kindRows
}

// TraceAt is the fingerprint of all events before an instant.
type TraceAt struct {
	At    unit.Time
	Trace uint64
}

// Switch is what a switch brings back.
type Switch struct {
	Ports []record.Port
	// Resident is what its buffer held at End.
	Resident Volume
	// BufferMax is the high-water mark of the shared buffer.
	BufferMax unit.Bytes
	// Proximal is what proximal CNP did there, nil where it is off.
	Proximal *record.Proximal
	// Tiers are its ports over time, by where they lead to, in the order of the tiers; nil where
	// ports have series of their own, or nothing is recorded.
	Tiers []Tier
}

// Tier is what the ports of a switch that lead to one tier did over time.
type Tier struct {
	Tier plan.Tier
	Over record.Activity
}

// WAN is what a long-haul path brings back: its two ports, and what the
// directions held of what came in by each of them.
type WAN struct {
	Ports     []record.Port
	InTransit [2]record.InTransit
}

// Flow is what the two ends of a flow bring back.
type Flow struct {
	Sender   record.Sender
	Receiver record.Receiver
	// BaseRTT is the base RTT of a full-size packet; Ideal, the denominator of the
	// slowdown, is BaseRTT + wire bytes / the narrowest rate of the path, 0 for
	// a flow without a size. It holds one packet's time twice: a flow alone has
	// a slowdown just below 1. Where messages wait for others, it is the ideal of one
	// message.
	BaseRTT, Ideal unit.Duration
}

// Volume is a number of frames and their bytes.
type Volume struct{ Frames, Bytes uint64 }

// Flight is what was on one direction of a link at the end of a run.
type Flight struct {
	Volume
	// Pauses is what the PFC frames among them say.
	Pauses record.Pauses
}

// Add counts a frame that is under way.
func (a *Flight) Add(frame *wire.Frame) {
	a.Frames++
	a.Bytes += uint64(frame.Len())
	a.Pauses.Count(frame)
}

// Deadlock is a cycle of egress queues that waited for each other.
type Deadlock struct {
	// At is when it was found, Since the instant from which on none of its queues moved a frame.
	At, Since unit.Time
	// Queues names them, "switch:port/class", in the order of the cycle.
	Queues []string
}
