package collective

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// addOperation adds the messages of one iteration, after the ranks' computation.
func (g *graph) addOperation() {
	switch g.config.Method {
	case Ring:
		switch g.config.Operation {
		case AllReduce:
			g.ring(2 * (g.ranks - 1))
		case Broadcast:
			g.broadcast(func(r int) int { return r - 1 })
		default:
			g.ring(g.ranks - 1)
		}
	case HalvingDoubling:
		g.halvingDoubling()
	case Tree:
		if g.config.Operation == AllReduce {
			g.reduce()
		} else {
			g.broadcast(parent)
		}
	case ParameterServer:
		g.parameterServer()
	case Direct:
		if g.config.Operation == Permute {
			for r := range g.ranks {
				g.message(r, (r+1)%g.ranks, g.config.Size, g.ownPhases(r))
			}
		} else {
			g.direct()
		}
	case Pairwise:
		g.pairwise()
	case Hierarchical:
		g.hierarchical()
	}
}

// part is the share of a rank.
func (g *graph) part() unit.Bytes { return g.config.Size / unit.Bytes(g.ranks) }

// ring has each rank hand to its successor, step by step, what it received in
// the step before. The first step is a rank's own; the others cannot overtake
// it on the one connection.
func (g *graph) ring(steps int) {
	for s := range steps {
		for r := range g.ranks {
			after := g.ownPhases(r)
			if s > 0 {
				after = g.firstMessages((r+g.ranks-1)%g.ranks, r, s)
			}
			g.message(r, (r+1)%g.ranks, g.part(), after)
		}
	}
}

// halvingDoubling exchanges S/2 with the neighbour, S/4 with the rank 2 apart,
// and so on to S/n (recursive halving, the reduce-scatter), and the same
// backwards (recursive doubling, the all-gather). A step needs all steps before
// it.
func (g *graph) halvingDoubling() {
	logn := bits.Len(uint(g.ranks)) - 1
	var steps []int
	if g.config.Operation != AllGather {
		for s := range logn {
			steps = append(steps, s)
		}
	}
	if g.config.Operation != ReduceScatter {
		for s := logn - 1; s >= 0; s-- {
			steps = append(steps, s)
		}
	}
	count := make([]int, logn)
	for i, s := range steps {
		for r := range g.ranks {
			g.message(r, r^1<<s, g.config.Size>>(s+1), g.ownPhases(r))
		}
		if count[s]++; i == len(steps)-1 {
			break // the rank is done
		}
		for r := range g.ranks {
			g.phase(r, 0, g.firstMessages(r^1<<s, r, count[s]))
		}
	}
}

// parent is the rank above another one in the binary tree.
func parent(rank int) int { return (rank - 1) / 2 }

// reduce sends chunk by chunk up the tree what the ranks below and the rank
// itself have, and from the root down again.
func (g *graph) reduce() {
	chunk := g.config.Size / unit.Bytes(g.config.Chunks)
	for number := range g.config.Chunks {
		for r := g.ranks - 1; r >= 0; r-- {
			var below []plan.Await
			for child := 2*r + 1; child <= 2*r+2 && child < g.ranks; child++ {
				below = append(below, g.firstMessages(child, r, number+1))
			}
			if len(below) > 0 {
				g.phase(r, 0, below...)
			}
			if r > 0 {
				g.message(r, parent(r), chunk, g.ownPhases(r))
			}
		}
		for r := 1; r < g.ranks; r++ {
			up := parent(r)
			after := g.ownPhases(0)
			if up > 0 {
				after = g.firstMessages(parent(up), up, number+1)
			}
			g.message(up, r, chunk, after)
		}
	}
}

// broadcast sends chunk by chunk from rank 0 on; above is where a rank has it
// from. A rank passes on nothing before it has itself come to the operation.
func (g *graph) broadcast(above func(int) int) {
	chunk := g.config.Size / unit.Bytes(g.config.Chunks)
	for c := range g.config.Chunks {
		for r := 1; r < g.ranks; r++ {
			up := above(r)
			after := []plan.Await{g.ownPhases(up)}
			if up > 0 {
				after = append(after, g.firstMessages(above(up), up, c+1))
			}
			g.message(up, r, chunk, after...)
		}
	}
}

// parameterServer has rank 0 gather from all, and answer when it has all.
func (g *graph) parameterServer() {
	var all []plan.Await
	for r := 1; r < g.ranks; r++ {
		g.message(r, 0, g.config.Size, g.ownPhases(r))
		all = append(all, g.firstMessages(r, 0, 1))
	}
	g.phase(0, 0, all...)
	for r := 1; r < g.ranks; r++ {
		g.message(0, r, g.config.Size, g.ownPhases(0))
	}
}

// direct sends everything at once, each rank beginning with its successor.
func (g *graph) direct() {
	for r := range g.ranks {
		for k := 1; k < g.ranks; k++ {
			g.message(r, (r+k)%g.ranks, g.part(), g.ownPhases(r))
		}
	}
}

// pairwise has one sender and one receiver a rank in each step, which is over
// when both are.
func (g *graph) pairwise() {
	for s := 1; s < g.ranks; s++ {
		for r := range g.ranks {
			g.message(r, (r+s)%g.ranks, g.part(), g.ownPhases(r))
		}
		if s == g.ranks-1 {
			break // the rank is done
		}
		for r := range g.ranks {
			g.phase(r, 0, g.firstMessages((r+g.ranks-s)%g.ranks, r, 1), g.firstMessages(r, (r+s)%g.ranks, 1))
		}
	}
}

// hierarchical reduces in each group by a ring of m-1 steps, after which a rank has the group's sum of one piece of
// S/m. It gives that to the ranks in its place of the other groups, takes theirs, and sends the sum of all around its
// ring in m-1 steps more. So the way between the groups is crossed once.
func (g *graph) hierarchical() {
	m := g.ranks / g.config.Groups
	piece := g.config.Size / unit.Bytes(m)
	next := func(r, by int) int { return r - r%m + (r+by)%m } // in the group of r
	around := func(first int) {
		for s := range m - 1 {
			for r := range g.ranks {
				after := g.ownPhases(r)
				if s > 0 {
					after = g.firstMessages(next(r, m-1), r, first+s)
				}
				g.message(r, next(r, 1), piece, after)
			}
		}
	}
	around(0)
	for r := range g.ranks {
		g.phase(r, 0, g.firstMessages(next(r, m-1), r, m-1))
	}
	for by := m; by < g.ranks; by += m {
		for r := range g.ranks {
			g.message(r, (r+by)%g.ranks, piece, g.ownPhases(r))
		}
	}
	for r := range g.ranks {
		var others []plan.Await
		for by := m; by < g.ranks; by += m {
			others = append(others, g.firstMessages((r+g.ranks-by)%g.ranks, r, 1))
		}
		g.phase(r, 0, others...)
	}
	around(m - 1)
}
