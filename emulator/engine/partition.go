package engine

// partition assigns each node to a worker, with about equal weights. Nodes follow their neighbour, so that a NIC shares
// a cache with its switch; ranges of the rest are contiguous, so that the pods of a generator that numbers them
// consecutively stay together. If one node with its followers would be too heavy for that (a star), followers are dealt
// out individually.
func partition(config *Config) []int {
	owner := make([]int, len(config.Nodes))
	if config.Workers == 1 {
		return owner
	}
	weight := func(n int) int {
		if config.Weight == nil {
			return 1
		}
		return config.Weight[n]
	}
	group := make([]int, len(config.Nodes)) // weight of a node and its followers
	total, heaviest := 0, 0
	for n := range config.Nodes {
		leader := n
		if config.Neighbour != nil && config.Neighbour[n] >= 0 {
			leader = config.Neighbour[n]
		}
		group[leader] += weight(n)
		total += weight(n)
		heaviest = max(heaviest, group[leader])
	}
	follow := config.Neighbour != nil && heaviest*config.Workers*4 <= total*3
	sum := 0
	for n := range config.Nodes {
		if follow && config.Neighbour[n] >= 0 {
			continue
		}
		mine := weight(n)
		if follow {
			mine = group[n]
		}
		// The middle of the node's weight decides, so rounding favours no end.
		owner[n] = min((2*sum+mine)*config.Workers/(2*total), config.Workers-1)
		sum += mine
	}
	if follow {
		for n, leader := range config.Neighbour {
			if leader >= 0 {
				owner[n] = owner[leader]
			}
		}
	}
	return owner
}
