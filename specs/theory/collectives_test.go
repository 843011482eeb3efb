package theory

import (
	"fmt"
	"math"
)

// collectives are lower bounds of an all-reduce of 1.6 MB over links of 100 Gb/s; S B is the time of all bytes with
// their headers, and L the time that each step adds: the way of its last packet. specs/collectives has every method's
// steps with 8 ranks; here are the textbooks' formulas, with 16.
var collectives = []*row{
	allReduce("the steps' ways, 2 log2 N", "is bound by the bytes that a rank must send", "halving-doubling", 16, 0.08,
		"Patarasu and Yuan, J. Parallel Distrib. Comput. 69, 2009: 2 (N-1)/N S B",
		func(n, bytes, _ float64) float64 { return 2 * (n - 1) / n * bytes }),
	allReduce(ackCause, "by a ring has 2 (N-1) steps", "ring", 16, 0.01,
		"Thakur, Rabenseifner and Gropp, IJHPCA 19, 2005: 2 (N-1) L + 2 (N-1)/N S B",
		func(n, bytes, way float64) float64 { return 2*(n-1)*way + 2*(n-1)/n*bytes }),
	allReduce(ackCause, "by halving and doubling has 2 log2 N steps", "halving-doubling", 16, 0.01,
		"the same: 2 log2(N) L + 2 (N-1)/N S B",
		func(n, bytes, way float64) float64 { return 2*math.Log2(n)*way + 2*(n-1)/n*bytes }),
	allReduce(ackCause, "by a tree sends all bytes of two children at each level", "tree", 15, 0.01,
		"levels up and down, two children at one port: 2 (log2(N+1) - 1) (L + 2 S B)",
		func(n, bytes, way float64) float64 { return 2 * (math.Log2(n+1) - 1) * (way + 2*bytes) }),
}

const ackCause = "an ACK for 64 packets, and the last one's way"

// allReduce is a row of an all-reduce; the formula takes the ranks, and S B and L in us.
func allReduce(why, name, method string, ranks int, tolerance float64, source string,
	least func(n, bytes, way float64) float64) *row {
	const packets = 1600
	return &row{
		name:      name,
		of:        "time of an all-reduce, us",
		source:    source,
		tolerance: tolerance,
		why:       why,
		least:     true,
		predicted: func() float64 {
			return least(float64(ranks), us(packets*onWire, 100), 2+us(onWire, 100))
		},
		measured: func() float64 {
			return simulate(fmt.Sprintf("name: collective\nalgorithm: none\ntopology: {kind: star, hosts: %d}\n"+
				"switch: {buffer: 1GB}\nnic: {ack_every: 64}\n"+
				"traffic: [{operation: all-reduce, method: %s, size: %dKB}]\n", ranks, method, packets)).Summary.Collective.P50
		},
	}
}
