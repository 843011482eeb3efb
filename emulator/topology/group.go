package topology

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Groups are sets of next hops with entries: a switch chooses one entry of a set with equal chances, so that a port
// with more entries gets more of the traffic.

// mostShares bounds the entries that a port of a weighted set has.
const mostShares = 64

// grouping makes sets of entries of ports.
type grouping struct {
	weighted bool
	buckets  int
}

// plain reports whether a set has an entry for each port.
func (g grouping) plain() bool { return !g.weighted && g.buckets == 0 }

// entries returns the entries of a set of ports of the given weights. home and homeWeights are all ports of the
// group, in their order, and what they weigh when nothing is lost; ports are some of them, in the same order.
//
// A table of buckets gives each bucket to a port at the start, the ports one after the other. A port that is lost loses
// its buckets to the others, which keep theirs; and gets the same back.
func (g grouping) entries(ports []uint16, weights []float64, home []uint16, homeWeights []float64) []uint16 {
	if len(ports) < 2 || g.plain() {
		return ports
	}
	if g.buckets == 0 {
		return interleave(ports, shares(weights))
	}
	turns := interleave(home, shares(homeWeights))
	table := make([]uint16, g.buckets)
	for i := range table {
		table[i] = turns[i%len(turns)]
	}
	if len(ports) == len(home) && equalWeights(weights, homeWeights) {
		return table
	}
	rest := quotas(weights, g.buckets)
	place := map[uint16]int{}
	for i, port := range ports {
		place[port] = i
	}
	var vacant []int
	for bucket, port := range table {
		if i, ok := place[port]; ok && rest[i] > 0 {
			rest[i]--
		} else {
			vacant = append(vacant, bucket)
		}
	}
	next := 0
	for _, bucket := range vacant {
		for rest[next] == 0 {
			next = (next + 1) % len(ports)
		}
		rest[next]--
		table[bucket] = ports[next]
		next = (next + 1) % len(ports)
	}
	return table
}

// equalWeights reports whether two lists of weights are in proportion.
func equalWeights(a, b []float64) bool {
	for i := range a {
		if a[i]*b[0] != b[i]*a[0] {
			return false
		}
	}
	return true
}

// shares returns the least whole numbers in the proportion of weights, each at most mostShares; if there are none, the
// nearest, each at least 1.
func shares(weights []float64) []int {
	largest := 0.0
	for _, w := range weights {
		largest = max(largest, w)
	}
	counts := make([]int, len(weights))
	for most := 1; ; most++ {
		exact := true
		for i, w := range weights {
			share := float64(w / largest * float64(most)) // a product of its own, on every processor
			counts[i] = max(1, unit.Whole[int](share+0.5))
			exact = exact && math.Abs(share-float64(counts[i])) < 1e-9*float64(most)
		}
		if exact || most == mostShares {
			return counts
		}
	}
}

// quotas shares a number of buckets out by weight: the largest remainders get one more, of equal ones the first.
func quotas(weights []float64, buckets int) []int {
	whole := 0.0
	for _, w := range weights {
		whole += w
	}
	counts, rest := make([]int, len(weights)), buckets
	remainders := make([]float64, len(weights))
	for i, w := range weights {
		exact := float64(w / whole * float64(buckets))
		counts[i] = unit.Whole[int](exact + 1e-9)
		remainders[i] = exact - float64(counts[i])
		rest -= counts[i]
	}
	for ; rest > 0; rest-- {
		most := 0
		for i := range remainders {
			if remainders[i] > remainders[most]+1e-9 {
				most = i
			}
		}
		counts[most]++
		remainders[most]--
	}
	return counts
}

// interleave returns the ports as often as their counts demand, each spread as evenly as possible: each turn goes to
// the port that is most behind, among equals to the first.
func interleave(ports []uint16, counts []int) []uint16 {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	behind := make([]int, len(ports))
	turns := make([]uint16, 0, sum)
	for range sum {
		most := 0
		for i, n := range counts {
			if behind[i] += n; behind[i] > behind[most] {
				most = i
			}
		}
		behind[most] -= sum
		turns = append(turns, ports[most])
	}
	return turns
}
