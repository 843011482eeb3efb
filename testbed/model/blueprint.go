package model

import (
	"encoding/json"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// Fabric is the blueprints of a plan.
type Fabric struct {
	// Nodes are in the order of their numbers.
	Nodes []Blueprint
	// Algorithms are the configured algorithms that flow ends refer to.
	Algorithms []plan.Algorithm
	// flows has what the ends of the flows are made from.
	flows *flows
}

// Blueprint is all that one node is made from. As a message it is the kind and the
// design as that kind writes it.
type Blueprint struct {
	ID     plan.NodeID
	Name   string
	Kind   plan.Kind
	Design Design
}

// UnmarshalJSON reads a blueprint of any registered kind.
func (b *Blueprint) UnmarshalJSON(message []byte) error {
	var raw struct {
		ID     plan.NodeID
		Name   string
		Kind   plan.Kind
		Design json.RawMessage
	}
	if err := json.Unmarshal(message, &raw); err != nil {
		return err
	}
	kind, err := KindNamed(raw.Kind)
	if err != nil {
		return fmt.Errorf("node %s: %w", raw.Name, err)
	}
	*b = Blueprint{raw.ID, raw.Name, raw.Kind, kind.NewDesign()}
	if err := json.Unmarshal(raw.Design, b.Design); err != nil {
		return fmt.Errorf("%s %s: %w", kind.Title, raw.Name, err)
	}
	return nil
}

// Ports returns the links at the node's ports, in their order.
func (b *Blueprint) Ports() []fabric.Attachment {
	if b.Design == nil {
		return nil
	}
	return b.Design.Ports()
}

// Algorithms returns the indices of the algorithms that flow ends at the node run;
// one may come twice.
func (b *Blueprint) Algorithms() []int {
	if r, ok := b.Design.(runner); ok {
		return r.Algorithms()
	}
	return nil
}

// Blueprints makes the blueprints of p. The error names a node of an unknown kind, or a flow
// whose mode means nothing.
func Blueprints(p *plan.Plan) (*Fabric, error) {
	f := &Fabric{Nodes: make([]Blueprint, 0, p.Nodes())}
	for n := range p.EachNode {
		kind, err := KindNamed(n.Kind)
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", n.Name, err)
		}
		design, err := kind.Design(p, &n)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", kind.Title, n.Name, err)
		}
		f.Nodes = append(f.Nodes, Blueprint{n.ID, n.Name, n.Kind, design})
	}
	if err := f.addFlows(p); err != nil {
		return f, err
	}
	f.addOutages(p)
	f.addRecording(p)
	return f, nil
}
