package bump

import (
	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/wan"
)

// network is the nodes of the plan, and what runs them: one window at a time, frames
// handed over at once.
type network struct {
	plan      *plan.Plan
	built     []*model.Node
	nodes     []fabric.Node
	next      []unit.Time // by node, when something is due there
	hashes    []trace.Hash
	out       *fabric.Outbox
	lookahead unit.Duration

	edges    [2]*edge.Edge
	place    [2]int // of the edges among the nodes
	switches [2]*switchd.Switch
	haul     *wan.Path
}

// newNetwork builds the nodes of a plan of Options.
func newNetwork(p *plan.Plan) (*network, error) {
	blueprints, err := model.Blueprints(p)
	if err != nil {
		return nil, err
	}
	n := &network{plan: p, lookahead: p.Lookahead(), hashes: make([]trace.Hash, p.Nodes())}
	builder := model.NewBuilder(nil, nil)
	edges, switches := 0, 0
	for i := range blueprints.Nodes {
		b := &blueprints.Nodes[i]
		if s, ok := b.Design.(*model.Switch); ok {
			s.Wire = true
		}
		built, err := builder.Build(b)
		if err != nil {
			return nil, err
		}
		switch m := built.Machine.(type) {
		case *edge.Edge:
			n.edges[edges], n.place[edges] = m, i
			edges++
		case *switchd.Switch:
			n.switches[switches] = m
			switches++
		case *wan.Path:
			n.haul = m
		}
		n.built = append(n.built, built)
		n.nodes = append(n.nodes, built.Machine)
		n.next = append(n.next, 0)
	}
	targets := make([]fabric.Target, 0, 2*len(p.Links))
	for i := range p.Links {
		for _, end := range []plan.End{p.Links[i].B, p.Links[i].A} {
			targets = append(targets, fabric.Target{Node: int(end.Node), Port: end.Port})
		}
	}
	n.out = fabric.NewOutbox(1, make([]uint8, len(targets)))
	n.out.Direct(0, n.nodes, targets, n.next)
	return n, nil
}

// earliest returns when the next event is due, unit.Never if there is none.
func (n *network) earliest() unit.Time {
	first := unit.Never
	for _, next := range n.next {
		first = min(first, next)
	}
	return first
}

// run handles all events before horizon, which is within the lookahead.
func (n *network) run(horizon unit.Time) {
	for i := range n.nodes {
		if n.next[i] < horizon {
			n.out.Begin(i, &n.hashes[i])
			n.next[i] = n.nodes[i].Advance(horizon, n.out)
		}
	}
}
