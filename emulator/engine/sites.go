package engine

import (
	"sync"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sites are the parts of a fabric that are far from each other: what remains connected without long links and long-haul
// paths. In a window of all sites each runs windows of its own, and its frames for the others wait for the end of the
// long one. A path has promised by then what leaves it in that window, and is advanced when the sites are through.
type sites struct {
	// part is the part of each node: a site, or one of the paths of a worker, which come after the sites.
	part []int
	// count is the number of sites.
	count int
	// crews are the sites that each worker runs.
	crews [][]int
	// length is the longest window of all sites.
	length unit.Duration
	// start is that of the current window of all sites: if flows are incomplete there, the run ends later.
	start unit.Time
	// free lets sites cross points of the end grid in the current part of a window of all sites, again is set when the
	// stopped ones are to go on, and follow when the paths are advanced.
	free, again, follow bool
	// cutting guards the Cut of a test, which all workers call.
	cutting sync.Mutex
}

// ahead is a node that knows long before what it will send, as a long-haul path does. Nodes on its sides can be
// advanced much further than the latency of its links, if it promises its frames first.
type ahead interface {
	fabric.Node
	// Notice is the least time between the arrival of a frame and the departure of a frame that it causes. Range: 0 or
	// above.
	Notice() unit.Duration
	// Promise gives copies of the frames that will start before horizon to out, by Outbox.Promise, each frame once. The
	// horizon lies at most Notice after that of the last Advance. A node that has promised a frame sends it by
	// Outbox.Keep.
	Promise(horizon unit.Time, out *fabric.Outbox)
}

const (
	// far is the number of lookaheads of the shortest link or path that is long. With fewer the long windows hold too
	// few short ones to be worth it.
	far = 8
	// longest is the number of lookaheads in the longest window. More would hardly save time, while interruptions, reports
	// of progress and the tuner wait for the window's end.
	longest = 64
	// mostSites is the largest number of sites; a fabric of more is left in one piece.
	mostSites = 64
	// lopsided is the share of the heaviest worker, as a multiple of the mean, above which sites do not divide the work
	// well.
	lopsided = 1.3
)

// sitesOf returns the sites of a fabric, nil if there are none far from each other, or if they would leave a worker
// with too little.
func sitesOf(config *Config) *sites {
	if config.Watch != nil { // it sees the frames in about the order of time
		return nil
	}
	s := &sites{part: make([]int, len(config.Nodes)), length: longest * config.Lookahead}
	path := make([]bool, len(config.Nodes))
	for n, node := range config.Nodes {
		a, ok := node.(ahead)
		path[n] = ok && a.Notice() >= far*config.Lookahead
		if path[n] {
			s.length = min(s.length, a.Notice())
		}
	}
	s.join(config, path)
	if s.count < 2 || s.count > mostSites || config.Workers > s.count || !s.share(config) {
		return nil
	}
	for l, to := range config.Targets {
		from := config.Targets[l^1]
		if a, b := s.part[from.Node], s.part[to.Node]; a != b && a < s.count && b < s.count {
			s.length = min(s.length, config.lookaheadOf(l))
		}
	}
	return s
}

// lookaheadOf returns the lookahead of a direction of a link.
func (c *Config) lookaheadOf(link int) unit.Duration {
	if c.Lookaheads == nil {
		return c.Lookahead
	}
	return c.Lookaheads[link]
}

// join numbers the sites in the order of their first nodes.
func (s *sites) join(config *Config, path []bool) {
	leader := make([]int, len(config.Nodes))
	for n := range leader {
		leader[n] = n
	}
	root := func(n int) int {
		for leader[n] != n {
			leader[n] = leader[leader[n]]
			n = leader[n]
		}
		return n
	}
	for l, to := range config.Targets {
		from := config.Targets[l^1].Node
		if path[from] || path[to.Node] || config.lookaheadOf(l) >= far*config.Lookahead {
			continue
		}
		a, b := root(from), root(to.Node)
		leader[max(a, b)] = min(a, b)
	}
	number := make([]int, len(config.Nodes))
	for n := range config.Nodes {
		if !path[n] && root(n) == n {
			number[n] = s.count
			s.count++
		}
	}
	paths := 0
	for n := range config.Nodes {
		if path[n] {
			s.part[n] = s.count + paths%config.Workers
			paths++
		} else {
			s.part[n] = number[root(n)]
		}
	}
}

// share deals the sites out to the workers, the heaviest first, each to the one with the least, and reports whether the
// shares are about equal.
func (s *sites) share(config *Config) bool {
	weights, total := make([]int, s.count), 0
	for n, part := range s.part {
		if part < s.count {
			weight := config.weightOf(n)
			weights[part] += weight
			total += weight
		}
	}
	s.crews = make([][]int, config.Workers)
	loads := make([]int, config.Workers)
	for range s.count {
		site, worker := 0, 0
		for i, weight := range weights {
			if weight > weights[site] {
				site = i
			}
		}
		for i, load := range loads {
			if load < loads[worker] {
				worker = i
			}
		}
		s.crews[worker] = append(s.crews[worker], site)
		loads[worker] += weights[site]
		weights[site] = -1
	}
	heaviest := 0
	for _, load := range loads {
		heaviest = max(heaviest, load)
	}
	return float64(heaviest*config.Workers) <= lopsided*float64(total)
}
