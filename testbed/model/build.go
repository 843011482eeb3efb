package model

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/wan"
)

// Find finds an algorithm by name.
type Find func(name string) (cc.Algorithm, bool)

// Node is a node of the fabric, built.
type Node struct {
	*Blueprint
	fabric.Node
	// Switch, NIC or WAN is the model; none of a ticker.
	Switch *switchd.Switch
	NIC    *nicd.NIC
	WAN    *wan.Path
	// facts are what the algorithm of each end was told.
	facts []cc.Facts
}

// Builder makes nodes. Flows of one configured algorithm share a controller.
type Builder struct {
	algorithms  []plan.Algorithm
	find        Find
	controllers []cc.Controller
}

// NewBuilder returns a builder for nodes whose flow ends refer to the given
// algorithms.
func NewBuilder(algorithms []plan.Algorithm, find Find) *Builder {
	return &Builder{algorithms, find, make([]cc.Controller, len(algorithms))}
}

// Build makes the node of b. It completes b: a blueprint is built once. The
// error names the node or flow, what is wrong and what is allowed.
func (m *Builder) Build(b *Blueprint) (*Node, error) {
	if b.Switch != nil {
		s, err := switchd.New(*b.Switch)
		if err != nil {
			return nil, fmt.Errorf("switch %s: %w", b.Name, err)
		}
		return &Node{Blueprint: b, Node: s, Switch: s}, nil
	}
	if b.WAN != nil {
		w, err := wan.New(*b.WAN)
		if err != nil {
			return nil, fmt.Errorf("long-haul path %s: %w", b.Name, err)
		}
		return &Node{Blueprint: b, Node: w, WAN: w}, nil
	}
	if b.Ticker != nil {
		return &Node{Blueprint: b, Node: &ticker{Ticker: *b.Ticker}}, nil
	}
	nic := nicd.New(b.NIC.Config)
	n := &Node{Blueprint: b, Node: nic, NIC: nic, facts: make([]cc.Facts, len(b.NIC.Ends))}
	for i := range b.NIC.Ends {
		if err := m.addEnd(n, i); err != nil {
			return nil, err
		}
	}
	for _, rank := range b.NIC.Ranks {
		if err := nic.AddRank(rank); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (m *Builder) addEnd(n *Node, i int) error {
	end := &n.Blueprint.NIC.Ends[i]
	controller, err := m.controller(end.Algorithm)
	if err != nil {
		return err
	}
	if c := end.Receiver; c != nil {
		c.Controller, c.Chance = controller, chance.New(n.Blueprint.NIC.Seed, "receiver/"+c.Name)
		if err := n.NIC.AddReceiver(*c); err != nil {
			return fmt.Errorf("flow %s at %s: %w", c.Name, n.Name, err)
		}
		return nil
	}
	c := end.Sender
	c.Controller, c.Chance = controller, chance.New(n.Blueprint.NIC.Seed, "sender/"+c.Name)
	if err := n.NIC.AddSender(*c); err != nil {
		return fmt.Errorf("flow %s at %s: %w", c.Name, n.Name, err)
	}
	a := &n.Blueprint.NIC.Attachment
	n.facts[i] = nicd.Facts(*c, a.Tx.Rate, a.Accounting)
	return nil
}

func (m *Builder) controller(i int) (cc.Controller, error) {
	if m.controllers[i] == nil {
		c, err := configure(&m.algorithms[i], m.find)
		if err != nil {
			return nil, err
		}
		m.controllers[i] = c
	}
	return m.controllers[i], nil
}

func configure(a *plan.Algorithm, find Find) (cc.Controller, error) {
	algorithm, ok := find(a.Name)
	if !ok {
		return nil, fmt.Errorf("there is no algorithm %q", a.Name)
	}
	params, err := cc.ParseParams(algorithm.Describe(), a.Params)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", a.Name, err)
	}
	controller, err := algorithm.New(params)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", a.Name, err)
	}
	return controller, nil
}
