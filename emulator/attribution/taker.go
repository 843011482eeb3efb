package attribution

import (
	"cmp"
	"slices"
)

// mostTakers is how many flows are named.
const mostTakers = 3

// addSurplus adds what other flows had at a port in a bin beyond their fair share.
func (f *Fabric) addSurplus(number, port, bin int) {
	for _, other := range f.at[port] {
		if int(other.flow) == number {
			continue
		}
		flow := &f.Flows[other.flow]
		if active := flow.active(bin); active > 0 {
			own := f.ownTime(flow, flow.Way[other.step], bin)
			f.surplus[other.flow] += own - f.fair[other.flow].at(bin)*active/float64(f.Ports[port].Rate)
		}
	}
}

// mostOf returns the flows with the most surplus, the most first.
func mostOf(surplus []float64) (flows []int) {
	for flow, time := range surplus {
		if time > 0 && (len(flows) < mostTakers || time > surplus[flows[mostTakers-1]]) {
			flows = append(flows, flow)
			slices.SortStableFunc(flows, func(a, b int) int { return cmp.Compare(surplus[b], surplus[a]) })
			flows = flows[:min(len(flows), mostTakers)]
		}
	}
	return flows
}
