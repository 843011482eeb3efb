package collective

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Graph is a collective written out. Awaits and flows number Flows from 0, and each NIC has its rank of the collective
// as its only one, number 0: the caller that puts it into a plan shifts both.
type Graph struct {
	Flows []plan.Flow
	// Ranks are in the order of Config.Ranks.
	Ranks []plan.Rank
	// PhasesPerIteration is the number of phases of each rank in an iteration.
	PhasesPerIteration []int
	BusFactor          float64
}

// graph is a Graph in the making.
type graph struct {
	Graph
	config  *Config
	ranks   int
	flow    map[[2]int]int // by sending and receiving rank
	base    []int64        // of each flow, the messages of former iterations
	flowsAt [][]int        // by rank, the flows that it sends and receives
}

// Expand writes c out, which Check has passed. Host names a NIC; template has
// what all flows share.
func (c *Config) Expand(host func(int) string, template plan.Flow) *Graph {
	n := len(c.Ranks)
	built := &graph{config: c, ranks: n, flow: map[[2]int]int{}, flowsAt: make([][]int, n)}
	built.BusFactor, built.PhasesPerIteration = c.Operation.busFactor(n), make([]int, n)
	for _, nic := range c.Ranks {
		built.Ranks = append(built.Ranks, plan.Rank{Name: c.Name + "/" + host(nic), Start: c.Start})
	}
	for range c.Iterations {
		for r := range n {
			built.phase(r, c.Compute[r])
		}
		built.addOperation()
		for r := range n {
			var all []plan.Await
			for _, f := range built.flowsAt[r] {
				all = append(all, plan.Await{Flow: f, Count: int64(len(built.Flows[f].Messages))})
			}
			built.phase(r, 0, all...)
		}
		built.base = built.base[:0]
		for i := range built.Flows {
			built.base = append(built.base, int64(len(built.Flows[i].Messages)))
		}
	}
	for r := range n {
		built.PhasesPerIteration[r] = len(built.Ranks[r].Phases) / c.Iterations
	}
	for i := range built.Flows {
		built.complete(&built.Flows[i], host, template)
	}
	return &built.Graph
}

// complete fills in what a flow has beside its messages. Src and Dst are ranks
// before, NICs after.
func (g *graph) complete(flow *plan.Flow, host func(int) string, template plan.Flow) {
	of := template
	of.Src, of.Dst = g.config.Ranks[flow.Src], g.config.Ranks[flow.Dst]
	of.Message, of.Messages = flow.Message, flow.Messages
	of.Name, of.Group = fmt.Sprintf("%s/%s-%s", g.config.Name, host(of.Src), host(of.Dst)), g.config.Name
	of.Size, of.Start, of.Ranks = flow.Message*unit.Bytes(len(flow.Messages)), g.config.Start, g.ranks
	if g.crosses(flow.Src, flow.Dst) && g.config.CrossDSCP >= 0 {
		of.DSCP = g.config.CrossDSCP
	}
	if of.GroupN == 0 {
		of.GroupN = g.flowsMeeting(flow.Src, flow.Dst)
	}
	*flow = of
}

// flowsMeeting returns how many flows of the operation can be in flight at one time towards the rank to, when the one
// from the rank from is.
func (g *graph) flowsMeeting(from, to int) int {
	switch {
	case g.config.Method == Tree && g.config.Operation == AllReduce:
		n := 0
		if from > to || g.config.Chunks > 1 {
			n = min(2, max(0, g.ranks-1-2*to))
		}
		if (from < to || g.config.Chunks > 1) && to > 0 {
			n++
		}
		return n
	case g.config.Method == ParameterServer && to == 0, g.config.Method == Direct && g.config.Operation == AllToAll:
		return g.ranks - 1
	case g.crosses(from, to):
		return g.config.Groups - 1
	}
	return 1
}

// crosses reports whether two ranks are of different groups.
func (g *graph) crosses(from, to int) bool {
	if g.config.Method != Hierarchical {
		return false
	}
	m := g.ranks / g.config.Groups
	return from/m != to/m
}

// phase adds a phase to a rank.
func (g *graph) phase(rank int, duration unit.Duration, after ...plan.Await) {
	r := &g.Ranks[rank]
	r.Phases = append(r.Phases, plan.Phase{After: after, Duration: duration})
}

// message adds a message of the given size from one rank to another.
func (g *graph) message(from, to int, size unit.Bytes, after ...plan.Await) {
	f := g.flowBetween(from, to)
	g.Flows[f].Message = size
	g.Flows[f].Messages = append(g.Flows[f].Messages, plan.Message{After: after})
}

// flowBetween is the flow from one rank to another, made when first asked for. Its
// Src and Dst are ranks until it is complete.
func (g *graph) flowBetween(from, to int) int {
	f, ok := g.flow[[2]int{from, to}]
	if !ok {
		f = len(g.Flows)
		g.flow[[2]int{from, to}] = f
		g.Flows = append(g.Flows, plan.Flow{Src: from, Dst: to})
		g.base = append(g.base, 0)
		g.flowsAt[from], g.flowsAt[to] = append(g.flowsAt[from], f), append(g.flowsAt[to], f)
	}
	return f
}

// ownPhases waits for the phases that a rank has so far.
func (g *graph) ownPhases(rank int) plan.Await {
	return plan.Await{Flow: plan.OwnPhases, Count: int64(len(g.Ranks[rank].Phases))}
}

// firstMessages waits for the first count messages of this iteration from one rank to
// another.
func (g *graph) firstMessages(from, to, count int) plan.Await {
	f := g.flowBetween(from, to)
	return plan.Await{Flow: f, Count: g.base[f] + int64(count)}
}
