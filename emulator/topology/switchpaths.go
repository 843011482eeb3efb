package topology

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// SwitchPaths holds the shortest paths between all switches, on which their messages to each other travel.
type SwitchPaths struct {
	graph    *Graph
	distance [][]int32 // from each switch
}

// SwitchPaths finds the shortest paths between all switches.
func (g *Graph) SwitchPaths() *SwitchPaths {
	m := &SwitchPaths{graph: g}
	for i := range g.Switches {
		m.distance = append(m.distance, g.hopsTo(plan.NodeID(i)))
	}
	return m
}

// NextHops returns the ports of a switch on shortest paths to switch to, in their
// order; none for the switch itself and for one that cannot be reached.
func (m *SwitchPaths) NextHops(node, to plan.NodeID) []uint16 {
	return m.graph.portsNearer(node, m.distance[to])
}

// Path returns a shortest path between two switches; of several,
// the one that takes the lowest port at each switch. It is empty from a switch to
// itself; ok is false if there is none.
func (m *SwitchPaths) Path(from, to plan.NodeID) (path fabric.Path, ok bool) {
	for at := from; at != to; {
		hops := m.NextHops(at, to)
		if len(hops) == 0 {
			return nil, false
		}
		path = append(path, m.graph.hop(at, int(hops[0])))
		at = m.graph.ports[at][hops[0]].peer
	}
	return path, true
}
