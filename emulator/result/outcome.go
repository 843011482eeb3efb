package result

import (
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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

	Fingerprint
	Network
	Found
	Work

	// Recorded says what the series are, nil where nothing is recorded.
	Recorded *Recorded
	// Bound is the least that an iteration takes, nil where no bound is known.
	Bound *plan.Bound
	// Hosts are what became of the commands of hosts with their own stack.
	Hosts []HostCommand
	// Unlike says how a replay differs from the run that it should be, "" if it does not.
	Unlike string
	// Time is how well a live run kept the clock on the wall, nil but for those.
	Time *Timing

	// sheets are the sheets of single kinds of nodes.
	sheets []kindRows
}

// Fingerprint is the hash of all events of a run.
type Fingerprint struct {
	// Trace is that of the whole run. Traces are what it was at instants before, and
	// NodeTraces the nodes' own at the end, in the order of the plan's nodes.
	Trace      uint64
	Traces     []TraceAt
	NodeTraces []trace.Hash
}

// TraceAt is the fingerprint of all events before an instant.
type TraceAt struct {
	At    unit.Time
	Trace uint64
}

// Found is what was found by looking at the network during the run and at its end.
type Found struct {
	// Slow are the slowest flows, the slowest first, and what they met on their way.
	Slow []SlowFlow
	// Why divides the time of each flow by cause, in bins of WhyWidth; nil if that was not recorded.
	Why      []Cause
	WhyWidth unit.Duration
	// JobWhy divides the time of each iteration of collectives that is done, in their order.
	JobWhy []JobCause
	// Dark are the paths that lead nowhere at the end of the run; see FindDark.
	Dark []Dark
	// Outages are what the outages of links did; see FindOutages.
	Outages []Outage
	// Deadlocks are the cycles of paused queues of which none moved.
	Deadlocks []Deadlock
}

// Deadlock is a cycle of egress queues that waited for each other.
type Deadlock struct {
	// At is when it was found, Since the instant from which on none of its queues moved a frame.
	At, Since unit.Time
	// Queues names them, "switch:port/class", in the order of the cycle.
	Queues []string
}

// Work is how the run was made. It goes into host.json: two runs of one plan may
// differ in Wall and what follows it.
type Work struct {
	// Windows, Events and Hops count the engine's work; Wall is how long it
	// took, Runner and Workers how it was done.
	Windows, Events, Hops uint64
	Wall                  time.Duration
	Runner                string
	Workers               int
	// Busy is how long the nodes of each worker ran by the wall clock; nil if that was not measured.
	Busy []time.Duration
	// Daemons says, of a run on a testbed, how many nodes a process hosted.
	Daemons string
	// Remarks are what the host did that is worth knowing and changed nothing
	// of the result, such as frames of others on a link.
	Remarks []string
}

// activeSpan is from the first flow's start to the last completion, or to the end
// where a flow did not complete.
func (o *Outcome) activeSpan() (from, to unit.Time) {
	from = o.End
	for flow := range o.eachFlow {
		from = min(from, flow.Sender.Started)
		to = max(to, flow.end())
	}
	return from, to
}
