package capacity

import "github.com/rocelab/rocelab/plugins/cc/unit"

// network is a directed graph with capacities. maxFlow uses Dinic's algorithm (E. A. Dinic, 1970).
type network struct {
	// arcs come in pairs: arc i^1 is the reverse of arc i.
	arcs []arc
	// leaving are the arcs that leave a node, by its number.
	leaving [][]int32
	// distance is the number of arcs from the source to each node along arcs with capacity left, -1 if it cannot be
	// reached. tried is the number of arcs of each node that are used up in this phase.
	distance []int32
	tried    []int
}

// arc is an edge to a node, with the capacity that is left.
type arc struct {
	to   int32
	left unit.BitRate
}

func newNetwork(nodes int) *network {
	return &network{leaving: make([][]int32, nodes), distance: make([]int32, nodes), tried: make([]int, nodes)}
}

// join connects two nodes, with a capacity in each direction.
func (n *network) join(a, b int, there, back unit.BitRate) {
	n.leaving[a] = append(n.leaving[a], int32(len(n.arcs)))
	n.leaving[b] = append(n.leaving[b], int32(len(n.arcs)+1))
	n.arcs = append(n.arcs, arc{int32(b), there}, arc{int32(a), back})
}

// maxFlow returns the largest flow from the source to the sink. It uses up the capacities that this flow needs.
func (n *network) maxFlow(source, sink int) (total unit.BitRate) {
	for n.reaches(source, sink) {
		clear(n.tried)
		total += n.push(source, sink, unit.BitRate(1<<63-1))
	}
	return total
}

// reaches sets the distances from the source, and reports whether the sink can be reached.
func (n *network) reaches(source, sink int) bool {
	for i := range n.distance {
		n.distance[i] = -1
	}
	n.distance[source] = 0
	queue := append(make([]int, 0, len(n.distance)), source)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, i := range n.leaving[at] {
			if a := n.arcs[i]; a.left > 0 && n.distance[a.to] < 0 {
				n.distance[a.to] = n.distance[at] + 1
				queue = append(queue, int(a.to))
			}
		}
	}
	return n.distance[sink] >= 0
}

// push sends up to limit from a node to the sink, along arcs that lead away from the source, and returns what it sent.
func (n *network) push(at, sink int, limit unit.BitRate) (sent unit.BitRate) {
	if at == sink {
		return limit
	}
	for ; n.tried[at] < len(n.leaving[at]); n.tried[at]++ {
		i := n.leaving[at][n.tried[at]]
		a := &n.arcs[i]
		if a.left == 0 || n.distance[a.to] != n.distance[at]+1 {
			continue
		}
		got := n.push(int(a.to), sink, min(limit-sent, a.left))
		a.left -= got
		n.arcs[i^1].left += got
		if sent += got; sent == limit {
			return sent
		}
	}
	return sent
}
