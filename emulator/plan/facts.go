package plan

import (
	"sort"

	"github.com/rocelab/rocelab/emulator/unit"
)

// headerBytes is Ethernet 14, IPv4 20, UDP 8, BTH 12, RETH 16, the largest
// extension 48 and ICRC 4.
const headerBytes unit.Bytes = 122

// MaxFrame returns an upper bound of a data frame's bytes, without FCS and
// preamble, from which headroom follows.
func (p *Plan) MaxFrame() unit.Bytes { return p.MTU + headerBytes }

// PlannedFlows returns, for each flow, how many flows the plan has under way
// towards the same receiver when it starts, itself included: what a cluster
// controller can tell the sender before its first packet. A flow with a size
// counts until the end, for no plan knows when it completes.
func (p *Plan) PlannedFlows() []int {
	byReceiver := make([][]int, len(p.NICs))
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
			// Flows that start together differ by an offset below one frame
			// time; a microsecond covers it.
			t := p.Flows[i].Start.Add(unit.Microsecond)
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
