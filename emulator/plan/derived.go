package plan

import (
	"cmp"
	"slices"
	"sort"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// headerBytes is Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16, the largest
// extension 48 and ICRC 4.
const headerBytes unit.Bytes = 122

// MaxFrame returns an upper bound of a frame's bytes, without FCS and preamble, for computing headroom: the largest
// data frame, or the largest that edges let in if that is larger.
func (p *Plan) MaxFrame() unit.Bytes {
	largest := p.MTU + headerBytes
	for _, i := range p.Edges() {
		if edge := p.EdgeAt(i); edge != nil {
			largest = max(largest, edge.MaxFrame())
		}
	}
	return largest
}

// MergeSpan is within what time changes of a receiver's number of flows are one:
// flows that start together differ by an offset below one frame time, and a
// microsecond covers it.
const MergeSpan = unit.Microsecond

// Change is an instant at which the plan's number of flows towards a receiver changes to Flows.
type Change struct {
	At    unit.Time
	Flows int
}

// PlannedChanges returns, for each station, when the number of flows towards it
// changes for as long as the plan knows: at starts, and at the ends of flows that
// stop by the clock. It ends with the first start of a flow with a size, for no
// plan knows when that completes. Changes within MergeSpan are one, the last.
func (p *Plan) PlannedChanges() [][]Change {
	changes := make([][]Change, p.Stations())
	sized := make([]unit.Time, p.Stations())
	for d := range sized {
		sized[d] = unit.Never
	}
	for i := range p.Flows {
		f := &p.Flows[i]
		changes[f.Dst] = append(changes[f.Dst], Change{f.Start, 1})
		if f.Stop != 0 {
			changes[f.Dst] = append(changes[f.Dst], Change{f.Stop, -1})
		}
		if f.Size > 0 {
			sized[f.Dst] = min(sized[f.Dst], f.Start)
		}
	}
	for receiver, list := range changes {
		slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(a.At, b.At) })
		kept, flows := 0, 0
		for i := 0; i < len(list); {
			first := list[i].At
			if kept > 0 && list[kept-1].At >= sized[receiver] {
				break
			}
			for ; i < len(list) && list[i].At.Sub(first) <= MergeSpan; i++ {
				flows += list[i].Flows
				list[kept].At = list[i].At
			}
			list[kept].Flows = flows
			kept++
		}
		changes[receiver] = list[:kept]
	}
	return changes
}

// PlannedFlows returns, for each flow, the planned number of flows towards the same receiver at its start, itself
// included: a cluster controller can give that to the sender before its first packet. A flow with a size counts until
// the end, for plans do not know when it completes.
func (p *Plan) PlannedFlows() []int {
	byReceiver := make([][]int, p.Stations())
	for i := range p.Flows {
		d := p.Flows[i].Dst
		byReceiver[d] = append(byReceiver[d], i)
	}
	planned := make([]int, len(p.Flows))
	for _, flows := range byReceiver {
		var starts, stops []unit.Time
		for _, i := range flows {
			starts = append(starts, p.Flows[i].Start)
			if p.Flows[i].Stop != 0 {
				stops = append(stops, p.Flows[i].Stop)
			}
		}
		upTo := func(times []unit.Time, t unit.Time) int {
			return sort.Search(len(times), func(k int) bool { return times[k] > t })
		}
		sort.Slice(starts, func(a, b int) bool { return starts[a] < starts[b] })
		sort.Slice(stops, func(a, b int) bool { return stops[a] < stops[b] })
		for _, i := range flows {
			t := p.Flows[i].Start.Add(MergeSpan)
			planned[i] = upTo(starts, t) - upTo(stops, t)
			if n := p.Flows[i].GroupN; n > 0 {
				planned[i] = n
			}
		}
	}
	return planned
}

// Payload returns the payload of all flows that have a size.
func (p *Plan) Payload() (total unit.Bytes) {
	for i := range p.Flows {
		total += p.Flows[i].Size
	}
	return total
}
