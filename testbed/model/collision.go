package model

import "math"

// expectedPairs is the mean number of pairs of flows that share a port if each of n flows takes each of m ports with
// the same probability: the birthday problem. There are n (n-1) / 2 pairs; the probability of one is 1 / m.
func expectedPairs(flows, ports int) float64 {
	return float64(flows) * float64(flows-1) / 2 / float64(ports)
}

// expectedCollisions is the mean number of flows that share a port while another port has no flow. With full(n, m), the
// probability that n flows leave none of m ports idle, it is
//
//	n (1 - full(n, m)) - n ((m-1) / m)^(n-1) (1 - full(n-1, m-1))
//
// The first term counts all flows if a port is idle. The second one takes away the flows that have a port to
// themselves: then the other n - 1 flows are on the other m - 1 ports and leave one of those idle.
func expectedCollisions(flows, ports int) float64 {
	n, others := float64(flows), float64(ports-1)
	idle := n * (1 - full(flows, ports))
	apart := n * math.Pow(others/float64(ports), n-1) * (1 - full(flows-1, ports-1))
	return idle - apart
}

// full is the probability that the flows leave no port idle, if each takes any port with the same probability. It adds
// flow after flow; used[j] is the probability that j ports are in use.
func full(flows, ports int) float64 {
	const certain = 40 // with more than m (ln m + 40) flows, full differs from 1 by less than e^-40
	m := float64(ports)
	switch {
	case flows < ports:
		return 0
	case float64(flows) > m*(math.Log(m)+certain):
		return 1
	}
	used := make([]float64, ports+1)
	used[0] = 1
	for range flows {
		for j := ports; j > 0; j-- {
			used[j] = float64(used[j]*(float64(j)/m)) + float64(used[j-1]*((m-float64(j)+1)/m))
		}
		used[0] = 0
	}
	return used[ports]
}
