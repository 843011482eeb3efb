package collective

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
)

// operate adds the messages of one iteration, after the ranks' computation.
func (g *graph) operate() {
	switch g.c.Method {
	case Ring:
		switch g.c.Operation {
		case AllReduce:
			g.ring(2 * (g.n - 1))
		case Broadcast:
			g.spread(func(r int) int { return r - 1 })
		default:
			g.ring(g.n - 1)
		}
	case HalvingDoubling:
		g.halvingDoubling()
	case Tree:
		if g.c.Operation == AllReduce {
			g.reduce()
		} else {
			g.spread(parent)
		}
	case ParameterServer:
		g.parameterServer()
	case Direct:
		if g.c.Operation == Permute {
			for r := range g.n {
				g.message(r, (r+1)%g.n, g.c.Size, g.own(r))
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
func (g *graph) part() unit.Bytes { return g.c.Size / unit.Bytes(g.n) }

// ring has each rank hand to its successor, step by step, what it received in
// the step before. The first step is a rank's own; the others cannot overtake
// it on the one connection.
func (g *graph) ring(steps int) {
	for s := range steps {
		for r := range g.n {
			after := g.own(r)
			if s > 0 {
				after = g.nth((r+g.n-1)%g.n, r, s)
			}
			g.message(r, (r+1)%g.n, g.part(), after)
		}
	}
}

// halvingDoubling exchanges S/2 with the neighbour, S/4 with the rank 2 apart,
// and so on to S/n (recursive halving, the reduce-scatter), and the same
// backwards (recursive doubling, the all-gather). A step needs all steps before
// it.
func (g *graph) halvingDoubling() {
	logn := bits.Len(uint(g.n)) - 1
	var steps []int
	if g.c.Operation != AllGather {
		for s := range logn {
			steps = append(steps, s)
		}
	}
	if g.c.Operation != ReduceScatter {
		for s := logn - 1; s >= 0; s-- {
			steps = append(steps, s)
		}
	}
	count := make([]int, logn)
	for i, s := range steps {
		for r := range g.n {
			g.message(r, r^1<<s, g.c.Size>>(s+1), g.own(r))
		}
		if count[s]++; i == len(steps)-1 {
			break // the rank is done
		}
		for r := range g.n {
			g.phase(r, 0, g.nth(r^1<<s, r, count[s]))
		}
	}
}

// parent is the rank above r in the binary tree.
func parent(r int) int { return (r - 1) / 2 }

// reduce sends chunk by chunk up the tree what the ranks below and the rank
// itself have, and from the root down again.
func (g *graph) reduce() {
	chunk := g.c.Size / unit.Bytes(g.c.Chunks)
	for c := range g.c.Chunks {
		for r := g.n - 1; r >= 0; r-- {
			var below []plan.Await
			for child := 2*r + 1; child <= 2*r+2 && child < g.n; child++ {
				below = append(below, g.nth(child, r, c+1))
			}
			if len(below) > 0 {
				g.phase(r, 0, below...)
			}
			if r > 0 {
				g.message(r, parent(r), chunk, g.own(r))
			}
		}
		for r := 1; r < g.n; r++ {
			up := parent(r)
			after := g.own(0)
			if up > 0 {
				after = g.nth(parent(up), up, c+1)
			}
			g.message(up, r, chunk, after)
		}
	}
}

// spread sends chunk by chunk from rank 0 on; above is where a rank has it
// from. A rank passes on nothing before it has itself come to the operation.
func (g *graph) spread(above func(int) int) {
	chunk := g.c.Size / unit.Bytes(g.c.Chunks)
	for c := range g.c.Chunks {
		for r := 1; r < g.n; r++ {
			up := above(r)
			after := []plan.Await{g.own(up)}
			if up > 0 {
				after = append(after, g.nth(above(up), up, c+1))
			}
			g.message(up, r, chunk, after...)
		}
	}
}

// parameterServer has rank 0 gather from all, and answer when it has all.
func (g *graph) parameterServer() {
	var all []plan.Await
	for r := 1; r < g.n; r++ {
		g.message(r, 0, g.c.Size, g.own(r))
		all = append(all, g.nth(r, 0, 1))
	}
	g.phase(0, 0, all...)
	for r := 1; r < g.n; r++ {
		g.message(0, r, g.c.Size, g.own(0))
	}
}

// direct sends everything at once, each rank beginning with its successor.
func (g *graph) direct() {
	for r := range g.n {
		for k := 1; k < g.n; k++ {
			g.message(r, (r+k)%g.n, g.part(), g.own(r))
		}
	}
}

// pairwise has one sender and one receiver a rank in each step, which is over
// when both are.
func (g *graph) pairwise() {
	for s := 1; s < g.n; s++ {
		for r := range g.n {
			g.message(r, (r+s)%g.n, g.part(), g.own(r))
		}
		if s == g.n-1 {
			break // the rank is done
		}
		for r := range g.n {
			g.phase(r, 0, g.nth((r+g.n-s)%g.n, r, 1), g.nth(r, (r+s)%g.n, 1))
		}
	}
}

// hierarchical reduces in each group by a ring of m-1 steps, after which a rank
// has the group's sum of one piece of S/m. It gives that to the ranks in its
// place of the other groups, takes theirs, and hands the sum of all around its
// ring in m-1 steps more. So whatever lies between the groups is crossed once.
func (g *graph) hierarchical() {
	m := g.n / g.c.Groups
	piece := g.c.Size / unit.Bytes(m)
	next := func(r, by int) int { return r - r%m + (r+by)%m } // in the group of r
	around := func(first int) {
		for s := range m - 1 {
			for r := range g.n {
				after := g.own(r)
				if s > 0 {
					after = g.nth(next(r, m-1), r, first+s)
				}
				g.message(r, next(r, 1), piece, after)
			}
		}
	}
	around(0)
	for r := range g.n {
		g.phase(r, 0, g.nth(next(r, m-1), r, m-1))
	}
	for by := m; by < g.n; by += m {
		for r := range g.n {
			g.message(r, (r+by)%g.n, piece, g.own(r))
		}
	}
	for r := range g.n {
		var others []plan.Await
		for by := m; by < g.n; by += m {
			others = append(others, g.nth((r+g.n-by)%g.n, r, 1))
		}
		g.phase(r, 0, others...)
	}
	around(m - 1)
}
