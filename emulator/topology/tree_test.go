package topology

import (
	"maps"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/emulator/plan"
)

// The tree joins all switches that are joined at all, goes round nowhere, has both ends
// of its links in it, keeps each switch at its distance from the lowest-numbered one,
// and of several such links has that at the lowest port. Ports to NICs are not in it.
func TestTreeSpansWithoutACycle(t *testing.T) {
	for name, g := range graphs(t) {
		firstEdge := len(g.Hosts) / 2
		tree, far := g.Tree(firstEdge), distances(g)
		part := make([]int, len(g.Switches))
		for i := range part {
			part[i] = i
		}
		find := func(i int) int {
			for part[i] != i {
				i = part[i]
			}
			return i
		}
		for _, l := range g.Links {
			if g.IsHost(l.A.Node) || g.IsHost(l.B.Node) {
				continue
			}
			in := tree[l.A.Node][l.A.Port]
			if in != tree[l.B.Node][l.B.Port] {
				t.Errorf("%s: %s-%s is in the tree at one end", name, g.PortName(l.A), g.PortName(l.B))
			}
			a, b := find(int(l.A.Node)), find(int(l.B.Node))
			if in && a == b {
				t.Errorf("%s: %s-%s closes a cycle", name, g.PortName(l.A), g.PortName(l.B))
			}
			if in {
				part[max(a, b)] = min(a, b)
			}
		}
		for s := range g.Switches {
			root := slices.IndexFunc(far[s], func(d int) bool { return d < infinite })
			if find(s) != root {
				t.Errorf("%s: the tree does not join %s with %s", name, g.Switches[s], g.Switches[root])
			}
			for place := range g.ports[s] {
				peer := g.Peer(plan.NodeID(s), place)
				if g.IsHost(peer) {
					if want := peer >= g.Host(firstEdge); tree[s][place] != want {
						t.Errorf("%s: the port of %s to %s is in the tree: %v", name, g.Switches[s], g.Name(peer), !want)
					}
					continue
				}
				up := s != root && far[peer][root] == far[s][root]-1
				first := up && !slices.ContainsFunc(g.ports[s][:place], func(p port) bool {
					return !g.IsHost(p.peer) && far[p.peer][root] == far[s][root]-1
				})
				if first != (up && tree[s][place]) {
					t.Errorf("%s: %s port %d to %s, which leads to the root, is in the tree: %v", name, g.Switches[s], place,
						g.Name(peer), tree[s][place])
				}
			}
		}
	}
}

// Hosts that are moved keep their links, and the ways to them.
func TestMoveLast(t *testing.T) {
	for name, g := range graphs(t) {
		before := waysOf(g)
		names := slices.Clone(g.Hosts)
		last := []int{2, 0}
		was := g.MoveLast(last)
		n := len(names)
		if g.Hosts[n-2] != names[2] || g.Hosts[n-1] != names[0] || g.Hosts[0] != names[1] {
			t.Errorf("%s: hosts are %v", name, g.Hosts)
		}
		for i, before := range was {
			if g.Hosts[i] != names[before] {
				t.Errorf("%s: host %d is %s and was said to be host %d, %s", name, i, g.Hosts[i], before, names[before])
			}
		}
		if after := waysOf(g); !maps.Equal(before, after) {
			t.Errorf("%s: ways are\n%v\nbefore:\n%v", name, after, before)
		}
	}
}

// waysOf lists the ways of a graph by the names of its nodes.
func waysOf(g *Graph) map[string]string {
	ways := map[string]string{}
	r := g.Route()
	for s := range g.Switches {
		routes, sets := r.Tables(plan.NodeID(s))
		for h, name := range g.Hosts {
			list := ""
			for _, port := range sets[routes[h]] {
				list += g.PortName(plan.End{Node: plan.NodeID(s), Port: int(port)}) + " to " +
					g.Name(g.Peer(plan.NodeID(s), int(port))) + ", "
			}
			ways[g.Switches[s]+" to "+name] = list
		}
	}
	for i := range g.Links {
		ways["link "+g.LinkName(i)] = g.PortName(g.Links[i].A) + " " + g.PortName(g.Links[i].B)
	}
	return ways
}
