package topology

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Graph is switches and hosts joined by links. Node i is switch i below
// len(Switches) and host i - len(Switches) from there on.
type Graph struct {
	Switches, Hosts []string
	// Links are in the order in which they take ports.
	Links []plan.Link
	// Transit is the delay that each switch adds to paths; nil is none.
	Transit []fabric.Transit
	// ports lists, for each node, the far ends at its ports.
	ports [][]port
}

// port is one end of a link, seen from its node.
type port struct {
	link int
	peer plan.NodeID
}

// New returns a graph of nodes without links.
func New(switches, hosts []string) *Graph {
	return &Graph{Switches: switches, Hosts: hosts, ports: make([][]port, len(switches)+len(hosts))}
}

// Host returns the node number of host i.
func (g *Graph) Host(i int) plan.NodeID { return plan.NodeID(len(g.Switches) + i) }

// Name returns the name of a node.
func (g *Graph) Name(node plan.NodeID) string {
	if int(node) < len(g.Switches) {
		return g.Switches[node]
	}
	return g.Hosts[int(node)-len(g.Switches)]
}

// IsHost reports whether a node is a host.
func (g *Graph) IsHost(node plan.NodeID) bool { return int(node) >= len(g.Switches) }

// Degree returns the number of ports that a node uses.
func (g *Graph) Degree(node plan.NodeID) int { return len(g.ports[node]) }

// Join adds a link between the next free ports of a and b.
func (g *Graph) Join(a, b plan.NodeID, rate unit.BitRate, latency unit.Duration) {
	c := fabric.Channel{Rate: rate, Latency: latency}
	i := len(g.Links)
	g.Links = append(g.Links, plan.Link{
		A: plan.End{Node: a, Port: len(g.ports[a])}, B: plan.End{Node: b,
			Port: len(g.ports[b])}, Forward: c, Backward: c,
	})
	g.ports[a] = append(g.ports[a], port{i, b})
	g.ports[b] = append(g.ports[b], port{i, a})
}

// Wire returns the graph of the given links, whose ends name their ports. The
// ports of each node must be 0 to its degree - 1, each once.
func Wire(switches, hosts []string, links []plan.Link) (*Graph, error) {
	graph := New(switches, hosts)
	graph.Links = links
	for i := range links {
		for _, e := range []plan.End{links[i].A, links[i].B} {
			for len(graph.ports[e.Node]) <= e.Port {
				graph.ports[e.Node] = append(graph.ports[e.Node], port{-1, 0})
			}
			if graph.ports[e.Node][e.Port].link >= 0 {
				return nil, fmt.Errorf("port %d of %s is used twice", e.Port, graph.Name(e.Node))
			}
			peer := links[i].A.Node + links[i].B.Node - e.Node
			graph.ports[e.Node][e.Port] = port{i, peer}
		}
	}
	for n := range graph.ports {
		for p := range graph.ports[n] {
			if graph.ports[n][p].link < 0 {
				return nil, fmt.Errorf("%s has no port %d but ports above it", graph.Name(plan.NodeID(n)), p)
			}
		}
	}
	return graph, nil
}

// LinksOf returns the links at a node's ports, in the order of the ports.
func (g *Graph) LinksOf(node plan.NodeID) []int {
	links := make([]int, len(g.ports[node]))
	for i, p := range g.ports[node] {
		links[i] = p.link
	}
	return links
}

// Peer returns the node at the far end of a node's port.
func (g *Graph) Peer(node plan.NodeID, port int) plan.NodeID { return g.ports[node][port].peer }

// LinkName names link i by its ends: "h0-s0".
func (g *Graph) LinkName(i int) string {
	return g.Name(g.Links[i].A.Node) + "-" + g.Name(g.Links[i].B.Node)
}

// PortName names one end of a link: "s0:3".
func (g *Graph) PortName(end plan.End) string {
	return fmt.Sprintf("%s:%d", g.Name(end.Node), end.Port)
}
