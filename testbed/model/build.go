package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// Find finds an algorithm by name.
type Find func(name string) (cc.Algorithm, bool)

// Node is a node of the fabric, built.
type Node struct {
	*Blueprint
	Model
	// Machine is the node that the engine runs: the model, or the node that it wraps.
	Machine fabric.Node
	// links are those at its ports.
	links []fabric.LinkID
}

// GiveUpDesign forgets the design of a switch, which has all that it needs of it.
func (n *Node) GiveUpDesign() {
	if _, ok := n.Design.(*Switch); ok {
		n.Design = nil
	}
}

// Builder makes nodes. Flows of one configured algorithm share a controller.
type Builder struct {
	algorithms  []plan.Algorithm
	find        Find
	controllers []cc.Controller
	// descriptions are the descriptions of the controllers that were made.
	descriptions []cc.Description
}

// NewBuilder returns a builder for nodes whose flow ends refer to the given
// algorithms.
func NewBuilder(algorithms []plan.Algorithm, find Find) *Builder {
	return &Builder{algorithms, find, make([]cc.Controller, len(algorithms)), make([]cc.Description, len(algorithms))}
}

// Build makes the node of b. It completes b: a blueprint is built once. The error names the node or flow, the fault and
// the allowed values.
func (m *Builder) Build(b *Blueprint) (*Node, error) {
	model, err := b.Design.Build(m)
	if err != nil {
		return nil, err
	}
	ports := b.Ports()
	n := &Node{Blueprint: b, Model: model, Machine: model, links: make([]fabric.LinkID, len(ports))}
	for i := range ports {
		n.links[i] = ports[i].Link
	}
	if before, ok := model.(interface{ Machine() fabric.Node }); ok {
		n.Machine = before.Machine()
	}
	return n, nil
}

func (m *Builder) controller(i int) (cc.Controller, error) {
	if m.controllers[i] == nil {
		c, err := configure(&m.algorithms[i], m.find)
		if err != nil {
			return nil, &AlgorithmError{err} // it was configured before, and so checked
		}
		m.controllers[i] = c
		if algorithm, ok := m.find(m.algorithms[i].Name); ok {
			m.descriptions[i] = algorithm.Describe()
		}
	}
	return m.controllers[i], nil
}

func configure(a *plan.Algorithm, find Find) (cc.Controller, error) {
	algorithm, ok := find(a.Name)
	if !ok {
		return nil, fmt.Errorf("there is no algorithm %q", a.Name)
	}
	params, err := hosting.Parse(algorithm.Describe(), a.Params)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", a.Name, err)
	}
	controller, err := algorithm.New(params)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", a.Name, err)
	}
	return controller, nil
}

// ScheduleOf returns the ends of a run of the plan and of its windows, the same for every runner.
func ScheduleOf(p *plan.Plan) engine.Schedule {
	return engine.Schedule{
		Until:   p.Until,
		Limit:   p.Limit,
		EndGrid: max(p.EndGrid, 2*p.Lookahead()),
		Least:   p.Shortest(),
	}
}
