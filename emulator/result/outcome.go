package result

import (
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Outcome is all that a runner brings back from a run; everything that is
// printed or written follows from it.
type Outcome struct {
	Plan *plan.Plan
	// End is the end of the run. Interrupted is set if it was stopped from outside before, Exhausted if it reached the
	// plan's Limit with flows incomplete.
	End                    unit.Time
	Interrupted, Exhausted bool

	Fingerprint
	Network
	Found
	Work

	// Recorded describes the series, nil if nothing is recorded.
	Recorded *recorded
	// Bound is the lower bound of an iteration, nil if none is known.
	Bound *plan.Bound
	// Hosts are the results of the commands of hosts with their own stack.
	Hosts []HostCommand
	// Unlike describes how a replay differs from the run that it should repeat, "" if it does not.
	Unlike string
	// Time describes how well a live run kept the wall clock, nil for other runs.
	Time *Timing

	// sheets are the sheets of single kinds of nodes.
	sheets []kindRows
}

// Fingerprint is the hash of all events of a run.
type Fingerprint struct {
	// Trace is the hash of the whole run. Traces are its values at earlier instants, and NodeTraces the nodes' own at
	// the end, in the order of the plan's nodes.
	Trace      uint64
	Traces     []TraceAt
	NodeTraces []trace.Hash
}

// TraceAt is the fingerprint of all events before an instant.
type TraceAt struct {
	At    unit.Time
	Trace uint64
}

// Found is the result of inspecting the network during the run and at its end.
type Found struct {
	// Slow are the slowest flows, the slowest first, and what they met on their way.
	Slow []slowFlow
	// Why divides the time of each flow by cause, in bins of WhyWidth; nil if that was not recorded.
	Why      []Cause
	WhyWidth unit.Duration
	// JobWhy divides the time of each iteration of collectives that is done, in their order.
	JobWhy []JobCause
	// Dark are the paths that lead nowhere at the end of the run; see FindDark.
	Dark []Dark
	// Outages are the effects of the outages of links; see FindOutages.
	Outages []Outage
	// Deadlocks are the cycles of paused queues without any movement.
	Deadlocks []Deadlock
}

// Deadlock is a cycle of egress queues that waited for each other.
type Deadlock struct {
	// At is the time at which it was found, Since the instant from which on none of its queues moved a frame.
	At, Since unit.Time
	// Queues names them, "switch:port/class", in the order of the cycle.
	Queues []string
}

// Work describes how the run was made. It goes into host.json: two runs of one plan may differ in Wall and the fields
// after it.
type Work struct {
	// Windows, Events and Hops count the engine's work; Wall is its wall-clock duration, Runner and Workers name the
	// method.
	Windows, Events, Hops uint64
	Wall                  time.Duration
	Runner                string
	Workers               int
	// Busy is the wall-clock time of the nodes of each worker; nil if that was not measured.
	Busy []time.Duration
	// Daemons is, for a run on a testbed, the number of nodes per process, in words.
	Daemons string
	// Remarks are actions of the host that are worth knowing and did not change the result, such as frames of others on
	// a link.
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

// HostCommand is a command that a host with its own stack ran.
type HostCommand struct {
	// Host is the host's name, Line what its shell was given.
	Host, Line string
	// Ended is set if it ended before the run did. After is its wall-clock running time, and Err its error, nil for
	// none.
	Ended bool
	After time.Duration
	Err   error
}

// commandFindings judges the commands of hosts: one that went on until the run ended, and
// one that ended well, are as they should be.
func commandFindings(commands []HostCommand) (fs []Finding) {
	for _, c := range commands {
		if c.Ended && c.Err != nil {
			fs = append(fs, Finding{Failed, Commands, fmt.Sprintf("host %s: %q: %v after %v", c.Host, c.Line, c.Err, c.After)})
		}
	}
	return fs
}
