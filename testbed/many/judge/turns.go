package judge

import (
	"cmp"
	"slices"
	"strings"
)

// cheap are the checks without a compiler or another process: with one seed some ten seconds of processor time in all
// for a compiled program; costly are the others. Checks are carried out in this order, the ones that cost least first.
const (
	cheap  = "handshake parameters reorder isolation incast-8 incast-16 loss outage clocks reaction fairness recovery fuzz"
	costly = "latecomers queue beside-dcqcn joining decision-time repeat process workers windows surroundings veth " +
		"source build"
)

// Cheap returns the names of the cheap checks, in their order of execution.
func Cheap() []string { return strings.Fields(cheap) }

// turns returns the places of checks in their order of execution.
func turns(checks []Check) []int {
	order := strings.Fields(cheap + " " + costly)
	list := make([]int, len(checks))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return cmp.Compare(slices.Index(order, checks[a].Name), slices.Index(order, checks[b].Name))
	})
	return list
}
