package switchd

import "slices"

// node is a blocked queue, by its number in a waitGraph; none stands for no node, and no number.
type node int32

const none node = -1

// waitGraph is the graph of waiting: next[n] are the nodes that node n waits for, in
// order.
type waitGraph struct {
	nodes []QueueRef
	next  [][]node
	marks []mark
	// followed counts the edges that a search went along.
	followed int
}

// mark holds the results of the searches for a node, none at first.
type mark struct {
	index, low node // Tarjan's NUMBER and LOWLINK
	component  node // the number of its strongly connected component
	before     node // the one before it on a shortest way from the least node of its component
}

// cycles returns a shortest cycle of each strongly connected component, through its least
// node and beginning there, in the order of those. It is called once.
func (g *waitGraph) cycles() (cycles [][]QueueRef) {
	g.marks = slices.Repeat([]mark{{none, none, none, none}}, len(g.nodes))
	begun := make([]bool, g.findComponents())
	for n := range g.nodes {
		if c := g.marks[n].component; !begun[c] {
			begun[c] = true
			if cycle := g.shortest(node(n)); cycle != nil {
				cycles = append(cycles, cycle)
			}
		}
	}
	return cycles
}

// shortest returns a shortest cycle through n, nil if there is none, by breadth-first search in its component, which
// must not have been searched before.
func (g *waitGraph) shortest(n node) []QueueRef {
	for todo := []node{n}; len(todo) > 0 && g.marks[n].before == none; todo = todo[1:] {
		g.followed += len(g.next[todo[0]])
		for _, m := range g.next[todo[0]] {
			if at := &g.marks[m]; at.before == none && at.component == g.marks[n].component {
				at.before = todo[0]
				todo = append(todo, m)
			}
		}
	}
	if g.marks[n].before == none {
		return nil
	}
	cycle := []QueueRef{g.nodes[n]}
	for m := g.marks[n].before; m != n; m = g.marks[m].before {
		cycle = append(cycle, g.nodes[m])
	}
	slices.Reverse(cycle[1:])
	return cycle
}

// findComponents numbers the strongly connected components and returns how many there are: Tarjan,
// "Depth-First Search and Linear Graph Algorithms", SIAM Journal on Computing 1(2), 1972. It keeps
// its own stack, since a row of waits may be as long as there are queues.
func (g *waitGraph) findComponents() (count node) {
	type visit struct {
		node node
		edge int32 // the next to be followed
	}
	var visits []visit // the path from the root of the search
	var open []node    // nodes that have an index and no component
	numbered := node(0)
	enter := func(v node) {
		g.marks[v].index, g.marks[v].low = numbered, numbered
		numbered++
		open = append(open, v)
		visits = append(visits, visit{node: v})
	}
	for root := range g.marks {
		if g.marks[root].index != none {
			continue
		}
		for enter(node(root)); len(visits) > 0; {
			top := &visits[len(visits)-1]
			v, at := top.node, &g.marks[top.node]
			if int(top.edge) < len(g.next[v]) {
				w := g.next[v][top.edge]
				top.edge++
				g.followed++
				if to := &g.marks[w]; to.index == none {
					enter(w)
				} else if to.component == none {
					at.low = min(at.low, to.index)
				}
				continue
			}
			visits = visits[:len(visits)-1]
			if len(visits) > 0 {
				parent := &g.marks[visits[len(visits)-1].node]
				parent.low = min(parent.low, at.low)
			}
			if at.low < at.index {
				continue
			}
			for w := none; w != v; {
				w = open[len(open)-1]
				open = open[:len(open)-1]
				g.marks[w].component = count
			}
			count++
		}
	}
	return count
}
