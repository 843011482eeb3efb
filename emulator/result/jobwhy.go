package result

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/attribution"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// JobCause is the reason for the duration of an iteration of a collective: the parts of its critical path.
type JobCause struct {
	// Collective is its place in the plan, Iteration counts from 0.
	Collective, Iteration int
	attribution.Parts
	// Flow is the flow that added most to the path beyond its time without others, -1 for none; Bottleneck is the port
	// at which most of that was lost, nil for none.
	Flow       int
	Bottleneck *plan.End
}

// jobDivision divides the time of iterations.
type jobDivision struct {
	*whyOf
	way func(flow int) []Step
	// costs is, of each iteration, what its Flow cost.
	costs []unit.Duration
}

// onPath is a stretch of the path of an iteration, which began at an instant and is numbered in Outcome.JobWhy.
type onPath struct {
	stretch
	iteration int
	begun     unit.Time
}

// divideJobs divides the time of every iteration that is done. The fabric must be prepared, and the causes of flows
// known.
func (w *whyOf) divideJobs(way func(flow int) []Step) {
	var list []onPath
	known := paths{w.Outcome, map[int][]unit.Time{}}
	for c := range w.Plan.Collectives {
		for k := range w.Plan.Collectives[c].Iterations {
			row := iterationOf(w.Outcome, &w.Plan.Collectives[c], k)
			if row.ended == unit.Never {
				continue
			}
			for _, s := range known.of(&row) {
				list = append(list, onPath{s, len(w.JobWhy), row.begun})
			}
			w.JobWhy = append(w.JobWhy, JobCause{Collective: c, Iteration: k, Flow: -1})
		}
	}
	slices.SortStableFunc(list, func(a, b onPath) int { return cmp.Compare(a.flow, b.flow) })
	d := jobDivision{w, way, make([]unit.Duration, len(w.JobWhy))}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].flow == list[0].flow {
			n++
		}
		if list[0].flow < 0 {
			d.addComputation(list[:n])
		} else {
			d.addFlow(list[:n])
		}
		list = list[n:]
	}
}

// addComputation adds what ranks computed.
func (d *jobDivision) addComputation(list []onPath) {
	for i := range list {
		d.JobWhy[list[i].iteration].Parts[attribution.Host] += list[i].to.Sub(max(list[i].from, list[i].begun))
	}
}

// addFlow adds the parts of stretches of one flow.
func (d *jobDivision) addFlow(list []onPath) {
	flow := list[0].flow
	cost := make([]unit.Duration, 1+len(d.way(flow))) // of an iteration by port, the first for none
	for i, part := range d.fabric.DivideSpans(flow, d.spansOf(list)) {
		at := &d.JobWhy[list[i].iteration]
		for k, time := range part.Parts {
			at.Parts[k] += time
		}
		cost[part.Port+1] += part.Total() - part.Parts[attribution.Alone] - part.Parts[attribution.Host]
		if i == len(list)-1 || list[i+1].iteration != list[i].iteration {
			d.nameCostliest(list[i].iteration, flow, cost)
			clear(cost)
		}
	}
}

// nameCostliest names a flow and its port if none before it cost more in the iteration. Time not lost at any of its
// ports, such as the wait of last packets in queues, is attributed to the flow's own bottleneck.
func (d *jobDivision) nameCostliest(iteration, flow int, cost []unit.Duration) {
	total, worst := unit.Duration(0), 0
	for i, lost := range cost {
		total += lost
		if i > 0 && lost > cost[worst] || worst == 0 && lost > 0 {
			worst = i
		}
	}
	if total <= d.costs[iteration] {
		return
	}
	at := &d.JobWhy[iteration]
	d.costs[iteration], at.Flow, at.Bottleneck = total, flow, d.Why[flow].Bottleneck
	if worst > 0 {
		at.Bottleneck = &d.way(flow)[worst-1].End
	}
}
