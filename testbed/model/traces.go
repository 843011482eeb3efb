package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
)

// addTraces folds the nodes' hashes in the order of their names, at the end of the run and at each earlier instant. At
// an instant the hashes of edges count as 0: frames that came in just before it may have been known in the next window
// only, which a replay does not see. It fails if a node has other instants than the first.
func addTraces(out *result.Outcome, p *plan.Plan, reports []Report) error {
	names := make([]string, len(reports))
	order := make([]int, len(reports))
	for i := range reports {
		names[i], order[i] = p.NodeName(plan.NodeID(i)), i
		out.NodeTraces = append(out.NodeTraces, reports[i].Trace)
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	sorted, hashes := make([]string, len(order)), make([]trace.Hash, len(order))
	for i, n := range order {
		sorted[i], hashes[i] = names[n], reports[n].Trace
	}
	out.Trace = trace.Sum(sorted, hashes)
	if len(reports) == 0 {
		return nil
	}
	first := &reports[0].History
	for i := range reports {
		if h := &reports[i].History; h.Width != first.Width || len(h.Hashes) != len(first.Hashes) {
			return fmt.Errorf("node %s has its trace at %d instants %v apart, %s at %d, %v apart", names[i], len(h.Hashes),
				h.Width, names[0], len(first.Hashes), first.Width)
		}
	}
	isEdge := make([]bool, len(reports))
	for i := range reports {
		isEdge[i] = p.KindOf(reports[i].ID) == plan.KindEdge
	}
	for i := range first.Hashes {
		for k, n := range order {
			hashes[k] = 0
			if !isEdge[n] {
				hashes[k] = reports[n].History.Hashes[i]
			}
		}
		out.Traces = append(out.Traces, result.TraceAt{At: first.At(i), Trace: trace.Sum(sorted, hashes)})
	}
	return nil
}
