package topology

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// mostPaths bounds the count of paths.
const mostPaths = 1 << 30

// Paths returns how many shortest paths lead from host src to host dst, at most 2^30.
func (r *Routes) Paths(src, dst int) int {
	if src == dst || r.attach[src] < 0 || r.attach[dst] < 0 {
		return 0
	}
	return r.pathsFrom(r.attach[src], dst, map[plan.NodeID]int{})
}

// pathsFrom counts the shortest paths from a node on; known caches the counts.
func (r *Routes) pathsFrom(at plan.NodeID, dst int, known map[plan.NodeID]int) int {
	if at == r.attach[dst] || at == r.graph.Host(dst) {
		return 1
	}
	if r.graph.IsHost(at) {
		return 0
	}
	count, ok := known[at]
	if !ok {
		for _, hop := range r.nextHops(at, dst) {
			count = min(mostPaths, count+r.pathsFrom(r.graph.ports[at][hop].peer, dst, known))
		}
		known[at] = count
	}
	return count
}

// PathNumber returns one of the Paths from host src to host dst, and the ports through which the switches on it send.
// The paths count from 0 in the order of the ports of the first switch, then of the second, and so on.
func (r *Routes) PathNumber(src, dst, number int) (path fabric.Path, ports []uint16) {
	graph, known := r.graph, map[plan.NodeID]int{}
	path = fabric.Path{graph.hop(graph.Host(src), 0)}
	at := r.attach[src]
	for !graph.IsHost(at) && at != r.attach[dst] {
		for _, hop := range r.nextHops(at, dst) {
			peer := graph.ports[at][hop].peer
			if count := r.pathsFrom(peer, dst, known); number >= count {
				number -= count
				continue
			}
			path, ports = append(path, graph.hop(at, int(hop))), append(ports, hop)
			at = peer
			break
		}
	}
	if graph.IsHost(at) {
		return path, nil
	}
	return append(path, graph.hop(at, r.downlink[dst])), append(ports, uint16(r.downlink[dst]))
}
