package attribution

import (
	"cmp"
	"slices"
)

// mostTakers is how many flows are named.
const mostTakers = 3

// addSurplus adds what other flows had at a port in a bin beyond their fair share.
func (f *Fabric) addSurplus(number, port, bin int, surplus map[int]float64) {
	for _, other := range f.at[port] {
		if int(other.flow) == number {
			continue
		}
		flow := &f.Flows[other.flow]
		if active := flow.active(bin); active > 0 {
			own := f.ownTime(flow, flow.Way[other.step], bin)
			fair := f.fair[other.flow].at(bin) * active / float64(f.Ports[port].Rate)
			surplus[int(other.flow)] += own - fair
		}
	}
}

// mostOf returns the flows with the most surplus.
func mostOf(surplus map[int]float64) (flows []int) {
	for flow, time := range surplus {
		if time > 0 {
			flows = append(flows, flow)
		}
	}
	slices.SortFunc(flows, func(a, b int) int { return cmp.Or(cmp.Compare(surplus[b], surplus[a]), a-b) })
	return flows[:min(len(flows), mostTakers)]
}
