package topology

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Line is the rate and the latency of a kind of link.
type Line struct {
	Rate    unit.BitRate
	Latency unit.Duration
}

func (g *Graph) join(a, b plan.NodeID, line Line) { g.Join(a, b, line.Rate, line.Latency) }

// Star returns hosts h0, h1, ... at one switch s0; host i is at its port i.
func Star(hosts int, line Line) *Graph {
	g := New(names("s", 1), names("h", hosts))
	for i := range hosts {
		g.join(g.Host(i), 0, line)
	}
	return g
}

// Dumbbell returns two switches joined by one bottleneck link: hosts h0 to
// h(left-1) are at s0, the other right hosts at s1. The bottleneck takes the
// port after the hosts' at both.
func Dumbbell(left, right int, line, bottleneck Line) *Graph {
	g := New(names("s", 2), names("h", left+right))
	for i := range left + right {
		at := plan.NodeID(0)
		if i >= left {
			at = 1
		}
		g.join(g.Host(i), at, line)
	}
	g.join(0, 1, bottleneck)
	return g
}

// LeafSpine returns leaves leaf0, ..., each with its hosts, and spines spine0,
// ...; each leaf has uplinks parallel links to each spine. Hosts are numbered
// leaf by leaf. A leaf's ports are its hosts, then its uplinks spine by spine.
func LeafSpine(leaves, spines, hostsPerLeaf, uplinks int, line, uplink Line) *Graph {
	graph := New(append(names("leaf", leaves), names("spine", spines)...), names("h", leaves*hostsPerLeaf))
	for l := range leaves {
		for h := range hostsPerLeaf {
			graph.join(graph.Host(l*hostsPerLeaf+h), plan.NodeID(l), line)
		}
	}
	for l := range leaves {
		for s := range spines {
			for range uplinks {
				graph.join(plan.NodeID(l), plan.NodeID(leaves+s), uplink)
			}
		}
	}
	return graph
}

// FatTree returns the k-ary fat tree of Al-Fares, Loukissas and Vahdat
// (SIGCOMM 2008, section 3): k pods of k/2 edge and k/2 aggregation switches,
// (k/2)^2 cores, k^3/4 hosts. K must be even and positive. Switches are
// numbered pod by pod, edges before aggregations, the cores last; names count
// through the whole fabric (edge0, agg0, core0). Aggregation switch j of each
// pod is joined to cores j x k/2 to (j+1) x k/2 - 1.
func FatTree(k int, line, core Line) *Graph {
	half := k / 2
	var switches []string
	for pod := range k {
		for i := range half {
			switches = append(switches, fmt.Sprintf("edge%d", pod*half+i))
		}
		for i := range half {
			switches = append(switches, fmt.Sprintf("agg%d", pod*half+i))
		}
	}
	switches = append(switches, names("core", half*half)...)
	graph := New(switches, names("h", FatTreeHosts(k)))
	edge := func(pod, i int) plan.NodeID { return plan.NodeID(pod*k + i) }
	agg := func(pod, i int) plan.NodeID { return plan.NodeID(pod*k + half + i) }
	for pod := range k {
		for i := range half {
			for h := range half {
				graph.join(graph.Host((pod*half+i)*half+h), edge(pod, i), line)
			}
		}
		for i := range half {
			for j := range half {
				graph.join(edge(pod, i), agg(pod, j), core)
			}
		}
	}
	for pod := range k {
		for j := range half {
			for c := range half {
				graph.join(agg(pod, j), plan.NodeID(k*k+j*half+c), core)
			}
		}
	}
	return graph
}

// FatTreeHosts returns the number of hosts of a k-ary fat tree, k^3/4.
func FatTreeHosts(k int) int { return k * k * k / 4 }

// FatTreeFor returns the k of the smallest fat tree with at least hosts hosts.
func FatTreeFor(hosts int) int {
	k := 2
	for FatTreeHosts(k) < hosts {
		k += 2
	}
	return k
}

func names(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return list
}
