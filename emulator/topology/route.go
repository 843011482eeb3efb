package topology

import (
	"encoding/binary"

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
	distance := make([]int32, len(g.ports))
	for i := range distance {
		distance[i] = unreached
	}
	distance[root] = 0
	if g.IsHost(root) {
		return distance
	}
	queue := []plan.NodeID{root}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, p := range g.ports[n] {
			if distance[p.peer] == unreached && !g.IsHost(p.peer) {
				distance[p.peer] = distance[n] + 1
				queue = append(queue, p.peer)
			}
		}
	}
	return distance
}

// Tables returns the routing table of a switch in the form of plan.Switch:
// for each host the index of a set of ports in nextHops. Equal sets are stored
// once. A host that the switch cannot reach has the empty set.
func (r *Routes) Tables(node plan.NodeID) (routes []uint16, nextHops [][]uint16) {
	sets := map[string]uint16{}
	intern := func(ports []uint16) uint16 {
		key := make([]byte, 0, 2*len(ports))
		for _, p := range ports {
			key = binary.BigEndian.AppendUint16(key, p)
		}
		id, ok := sets[string(key)]
		if !ok {
			id = uint16(len(nextHops))
			sets[string(key)] = id
			nextHops = append(nextHops, ports)
		}
		return id
	}
	towards := map[plan.NodeID]uint16{} // the set of each switch that has hosts
	routes = make([]uint16, len(r.graph.Hosts))
	for host := range routes {
		at := r.attach[host]
		if at == node {
			routes[host] = intern([]uint16{uint16(r.downlink[host])})
			continue
		}
		if host > 0 && at == r.attach[host-1] { // in most fabrics hosts at one switch follow each other
			routes[host] = routes[host-1]
			continue
		}
		id, ok := towards[at]
		if !ok {
			id = intern(r.nextHops(node, host))
			towards[at] = id
		}
		routes[host] = id
	}
	return routes, nextHops
}

// nextHops returns the ports of a node whose far ends are one hop nearer to host's
// switch, in the order of the ports.
func (r *Routes) nextHops(node plan.NodeID, host int) []uint16 {
	return r.graph.portsNearer(node, r.distance[host])
}

// portsNearer returns the ports of a node whose far ends are one hop nearer to where
// distances are counted from; nil distances lead nowhere.
func (g *Graph) portsNearer(node plan.NodeID, distance []int32) []uint16 {
	if distance == nil || distance[node] == unreached {
		return nil
	}
	var ports []uint16
	for i, p := range g.ports[node] {
		if d := distance[p.peer]; d != unreached && d == distance[node]-1 {
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

// hop returns the direction in which a node sends at its port, with what the node adds.
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
