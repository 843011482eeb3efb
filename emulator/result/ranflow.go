package result

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ranFlow is a flow as it was planned and as it ran.
type ranFlow struct {
	plan    *plan.Plan
	planned *plan.Flow
	*Flow
	// runEnd is the end of the run.
	runEnd unit.Time
}

// flow returns the flow of that number.
func (o *Outcome) flow(i int) ranFlow { return ranFlow{o.Plan, &o.Plan.Flows[i], &o.Flows[i], o.End} }

// eachFlow yields the flows in the order of the plan.
func (o *Outcome) eachFlow(yield func(*ranFlow) bool) {
	for i := range o.Flows {
		if flow := o.flow(i); !yield(&flow) {
			return
		}
	}
}

// end returns the completion of the flow, at the latest the end of the run.
func (r *ranFlow) end() unit.Time { return min(r.Sender.Completed, r.runEnd) }

func (r *ranFlow) fct() float64 {
	if r.Sender.Completed == unit.Never || r.planned.Size == 0 {
		return math.NaN()
	}
	return r.Sender.Completed.Sub(r.Sender.Started).Microseconds()
}

func (r *ranFlow) slowdown() float64 {
	if r.Ideal <= 0 {
		return math.NaN()
	}
	if r.planned.Messages != nil {
		return math.NaN() // a connection that waits has no ideal; its messages have
	}
	return r.fct() / r.Ideal.Microseconds()
}

// goodput covers the flow's whole life, including the time after its last progress.
func (r *ranFlow) goodput() float64 {
	start, end := r.life()
	if end <= start {
		return math.NaN()
	}
	return unit.RateOf(r.Sender.Acked, end.Sub(start)).Gbps()
}

// messageDistribution is the distribution of the times of messages that waited.
func (r *ranFlow) messageDistribution() Distribution {
	var took []float64
	r.messageTimes(func(t unit.Duration) { took = append(took, t.Microseconds()) })
	return distribution(took)
}

// life returns the time during which the flow was active; empty if it never was.
func (r *ranFlow) life() (from, until unit.Time) {
	until = r.end()
	if stop := r.planned.Stop; stop > 0 {
		until = min(until, stop)
	}
	return r.Sender.Started, until
}

// isIncomplete reports whether the flow has a size and did not complete, and the scenario did not stop it.
func (r *ranFlow) isIncomplete() bool {
	return r.planned.Size > 0 && !r.stoppedBy(r.runEnd) && r.Sender.Completed > r.runEnd
}

// isEndless reports whether the flow has no size, and was due before the run ended.
func (r *ranFlow) isEndless() bool { return r.planned.Size == 0 && r.planned.Start < r.runEnd }

// stoppedBy reports whether the scenario had stopped the flow at an instant.
func (r *ranFlow) stoppedBy(at unit.Time) bool { return r.planned.Stop > 0 && r.planned.Stop <= at }

// arrivedLate reports whether the flow came by an arrival process, too late to complete at slowestArrival.
func (r *ranFlow) arrivedLate() bool {
	return slices.Contains(r.plan.Expect.Arrivals, r.planned.Group) &&
		r.planned.Start.Add(slowestArrival*r.Ideal) > r.runEnd
}

// interval is a time from one instant to another.
type interval struct{ from, to unit.Time }

// standstills returns the times during which the flow, though due and not done, had no packet accepted: before the
// first, the longest between two, after the last.
func (r *ranFlow) standstills() [3]interval {
	receiver := r.Receiver
	start, end := r.life()
	spans := [3]interval{
		{start, min(receiver.First, end)},
		{receiver.SilentFrom, receiver.SilentFrom.Add(receiver.Silence)},
		{receiver.Last, end},
	}
	if r.Sender.Completed != unit.Never {
		spans[2].to = receiver.Last // the last packet had arrived, and its ACK was on the way
	}
	return spans
}

// classAt is the class of the flow's data at a node.
func (r *ranFlow) classAt(node *plan.Node) int {
	dscp := dscpOf(r.plan, r.planned)
	var class uint8
	switch node.Kind {
	case plan.KindSwitch:
		class = r.plan.Switches[node.Index].Profile.ClassOf[dscp&63]
	case plan.KindNIC:
		class = r.plan.NICs[node.Index].Profile.ClassOf[dscp&63]
	}
	return int(class) % profile.Classes
}

// dscpOf is the code point of a flow's data.
func dscpOf(planned *plan.Plan, flow *plan.Flow) uint8 {
	if flow.DSCP >= 0 {
		return uint8(flow.DSCP)
	}
	return planned.NICs[flow.Src].Profile.DataDSCP
}
