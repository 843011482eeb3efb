package topology

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// unreached marks a node without a path to the destination.
const unreached = int32(-1)

// Routes holds the shortest paths of a graph.
type Routes struct {
	graph *Graph
	// distance[i] is, for host i, the hops from each switch to the node that
	// host i hangs on; hosts at one switch share it.
	distance [][]int32
	// attach is that node for each host, downlink its port towards the host;
	// a host without a link has -1.
	attach   []plan.NodeID
	downlink []int
	// shared are the tables so far.
	shared sharedTables
}

// Route finds the shortest paths between all hosts: one breadth-first search
// for each switch that has hosts.
func (g *Graph) Route() *Routes {
	routes := &Routes{graph: g, distance: make([][]int32, len(g.Hosts)), attach: make([]plan.NodeID, len(g.Hosts)),
		downlink: make([]int, len(g.Hosts))}
	known := make([][]int32, len(g.ports))
	for i := range g.Hosts {
		routes.attach[i] = -1
		if len(g.ports[g.Host(i)]) == 0 {
			continue
		}
		up := g.ports[g.Host(i)][0]
		end := g.Links[up.link].A
		if end.Node != up.peer {
			end = g.Links[up.link].B
		}
		routes.attach[i], routes.downlink[i] = end.Node, end.Port
		if known[end.Node] == nil {
			known[end.Node] = g.hopsTo(end.Node)
		}
		routes.distance[i] = known[end.Node]
	}
	return routes
}

// hopsTo returns the hops from every switch to root; a host forwards nothing,
// so nothing lies behind one.
func (g *Graph) hopsTo(root plan.NodeID) []int32 {
	distance := make([]int32, len(g.Switches))
	for i := range distance {
		distance[i] = unreached
	}
	if g.IsHost(root) {
		return distance
	}
	distance[root] = 0
	queue := append(make([]plan.NodeID, 0, len(g.Switches)), root)
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, p := range g.ports[n] {
			if !g.IsHost(p.peer) && distance[p.peer] == unreached {
				distance[p.peer] = distance[n] + 1
				queue = append(queue, p.peer)
			}
		}
	}
	return distance
}

// nextHops returns the ports of a switch whose far ends are one hop nearer to host's
// switch, in the order of the ports.
func (r *Routes) nextHops(node plan.NodeID, host int) []uint16 {
	return r.graph.portsNearer(node, r.distance[host])
}

// portsNearer returns the ports of a switch whose far ends are one hop nearer to where
// distances are counted from; nil distances lead nowhere.
func (g *Graph) portsNearer(node plan.NodeID, distance []int32) []uint16 {
	return g.appendNearer(nil, node, distance)
}

// appendNearer appends what portsNearer returns.
func (g *Graph) appendNearer(ports []uint16, node plan.NodeID, distance []int32) []uint16 {
	if distance == nil || distance[node] == unreached {
		return ports
	}
	for i, p := range g.ports[node] {
		if !g.IsHost(p.peer) && distance[p.peer] == distance[node]-1 && distance[p.peer] != unreached {
			ports = append(ports, uint16(i))
		}
	}
	return ports
}

// Path returns a shortest path from host src to host dst, hop
// by hop from src's port; of several, the one that takes the lowest port at
// each switch. It is nil if there is none or src is dst.
func (r *Routes) Path(src, dst int) fabric.Path {
	if src == dst || r.attach[src] < 0 || r.attach[dst] < 0 {
		return nil
	}
	graph := r.graph
	from, to := graph.Host(src), graph.Host(dst)
	path := fabric.Path{graph.hop(from, 0)}
	at := r.attach[src]
	if at == to {
		return path // two hosts joined without a switch
	}
	for !graph.IsHost(at) && at != r.attach[dst] {
		hops := r.nextHops(at, dst)
		if len(hops) == 0 {
			return nil
		}
		path = append(path, graph.hop(at, int(hops[0])))
		at = graph.ports[at][hops[0]].peer
	}
	if graph.IsHost(at) {
		return nil
	}
	return append(path, graph.hop(at, r.downlink[dst]))
}

// hop returns the direction in which a node sends at its port, with the node's delay.
func (g *Graph) hop(node plan.NodeID, port int) fabric.Hop {
	hop := fabric.Hop{Channel: g.channel(node, port)}
	if g.Transit != nil && !g.IsHost(node) {
		hop.Transit = g.Transit[node]
	}
	return hop
}

// channel returns the direction in which a node sends at its port.
func (g *Graph) channel(node plan.NodeID, port int) fabric.Channel {
	l := &g.Links[g.ports[node][port].link]
	if l.A == (plan.End{Node: node, Port: port}) {
		return l.Forward
	}
	return l.Backward
}

// Detour reports whether two switches with links between them are joined by other switches, too.
func (g *Graph) Detour(a, b plan.NodeID) bool {
	reached := map[plan.NodeID]bool{a: true}
	queue := []plan.NodeID{a}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, p := range g.ports[n] {
			if n == a && p.peer == b || reached[p.peer] || g.IsHost(p.peer) {
				continue
			}
			if p.peer == b {
				return true
			}
			reached[p.peer] = true
			queue = append(queue, p.peer)
		}
	}
	return false
}
