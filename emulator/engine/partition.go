package engine

// partition gives each node a worker, of about equal weight. Nodes follow
// their neighbour, so that a NIC shares a cache with its switch; ranges of the
// rest are contiguous, so that a generator that numbers its pods one after the
// other gets pods that stay together. Where one node with its followers would
// be too heavy for that (a star), followers are dealt out alone.
func partition(c *Config) []int {
	owner := make([]int, len(c.Nodes))
	if c.Workers == 1 {
		return owner
	}
	weight := func(n int) int {
		if c.Weight == nil {
			return 1
		}
		return c.Weight[n]
	}
	group := make([]int, len(c.Nodes)) // weight of a node and its followers
	total, heaviest := 0, 0
	for n := range c.Nodes {
		leader := n
		if c.Neighbour != nil && c.Neighbour[n] >= 0 {
			leader = c.Neighbour[n]
		}
		group[leader] += weight(n)
		total += weight(n)
		heaviest = max(heaviest, group[leader])
	}
	follow := c.Neighbour != nil && heaviest*c.Workers*4 <= total*3
	sum := 0
	for n := range c.Nodes {
		if follow && c.Neighbour[n] >= 0 {
			continue
		}
		mine := weight(n)
		if follow {
			mine = group[n]
		}
		// The middle of the node's weight decides, so rounding favours no end.
		owner[n] = min((2*sum+mine)*c.Workers/(2*total), c.Workers-1)
		sum += mine
	}
	if follow {
		for n, leader := range c.Neighbour {
			if leader >= 0 {
				owner[n] = owner[leader]
			}
		}
	}
	return owner
}
