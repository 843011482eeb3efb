package topology

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
)

// Tree returns one spanning tree of the switches, along which frames can be flooded
// without going round: for each switch and each of its ports, whether the port is in
// it. Each switch hangs on the lowest of its ports that lead one hop nearer to the
// lowest-numbered switch that it can reach. Ports to the hosts from firstEdge on are in
// the tree as well, ports to other hosts are not.
func (g *Graph) Tree(firstEdge int) [][]bool {
	tree := make([][]bool, len(g.Switches))
	for n := range tree {
		tree[n] = make([]bool, len(g.ports[n]))
		for port, p := range g.ports[n] {
			tree[n][port] = p.peer >= g.Host(firstEdge)
		}
	}
	reached := make([]bool, len(g.Switches))
	for root := range g.Switches {
		if reached[root] {
			continue
		}
		distance := g.hopsTo(plan.NodeID(root))
		for n := range g.Switches {
			if distance[n] == unreached {
				continue
			}
			reached[n] = true
			if n != root {
				up := int(g.portsNearer(plan.NodeID(n), distance)[0])
				far := g.farEnd(plan.NodeID(n), up)
				tree[n][up], tree[far.Node][far.Port] = true, true
			}
		}
	}
	return tree
}

// farEnd returns the port at the other end of the link at a node's port.
func (g *Graph) farEnd(node plan.NodeID, port int) plan.End {
	l := &g.Links[g.ports[node][port].link]
	if l.A == (plan.End{Node: node, Port: port}) {
		return l.B
	}
	return l.A
}

// MoveLast gives the hosts of a list the last numbers, in the order of the list; the
// others keep theirs among themselves. It returns what number each host had.
func (g *Graph) MoveLast(hosts []int) (was []int) {
	for i := range g.Hosts {
		if !slices.Contains(hosts, i) {
			was = append(was, i)
		}
	}
	was = append(was, hosts...)
	names, ports := slices.Clone(g.Hosts), slices.Clone(g.ports)
	renumbered := make([]plan.NodeID, len(g.ports))
	for i := range g.Switches {
		renumbered[i] = plan.NodeID(i)
	}
	for now, before := range was {
		renumbered[g.Host(before)] = g.Host(now)
		g.Hosts[now], g.ports[g.Host(now)] = names[before], ports[g.Host(before)]
	}
	for n := range g.ports {
		for i := range g.ports[n] {
			g.ports[n][i].peer = renumbered[g.ports[n][i].peer]
		}
	}
	for i := range g.Links {
		l := &g.Links[i]
		l.A.Node, l.B.Node = renumbered[l.A.Node], renumbered[l.B.Node]
	}
	return was
}
