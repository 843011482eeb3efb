package plan

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
)

// NodeID numbers the nodes of a plan, from 0: the switches, then the NICs, then
// the long-haul paths, then the devices. Only this package reckons with that
// order; others ask for the Node.
type NodeID int32

// Kind is the kind of a node. Each kind has its own model, which the runners look up by it.
type Kind string

// The kinds that a plan knows: they route, end flows, or carry them over long
// distances. A Device may be of any other.
const (
	KindSwitch Kind = "switch"
	KindNIC    Kind = "nic"
	KindWAN    Kind = "wan"
)

// Node is a node of the plan, of any kind.
type Node struct {
	ID   NodeID
	Kind Kind
	Name string
	// Index is its place in Switches, NICs, WANs or Devices.
	Index int
	// Links are the links at its ports, in the order of the ports.
	Links []int
}

// Device is a node of a kind that the plan knows nothing of, but for edges. No flow ends
// there, and no route but those to edges; frames come and go by its links.
type Device struct {
	Kind Kind
	Name string
	// Links are the links at its ports, in the order of the ports.
	Links []int
	// Config is the input of the kind's model, as its package documents: for an edge an Edge. It must survive
	// encoding/json, which takes it to daemons.
	Config any
}

// SwitchNode, NICNode, WANNode and DeviceNode return the node with a place in
// Switches, NICs, WANs or Devices.
func (p *Plan) SwitchNode(i int) NodeID { return NodeID(i) }
func (p *Plan) NICNode(i int) NodeID    { return NodeID(len(p.Switches) + i) }
func (p *Plan) WANNode(i int) NodeID    { return p.NICNode(len(p.NICs) + i) }
func (p *Plan) DeviceNode(i int) NodeID { return p.WANNode(len(p.WANs) + i) }

// Nodes returns the number of nodes.
func (p *Plan) Nodes() int { return int(p.DeviceNode(len(p.Devices))) }

// locate returns the kind of a node, "" for a device, and its place in the
// list of that kind.
func (p *Plan) locate(id NodeID) (kind Kind, index int) {
	switch {
	case id < p.NICNode(0):
		return KindSwitch, int(id)
	case id < p.WANNode(0):
		return KindNIC, int(id - p.NICNode(0))
	case id < p.DeviceNode(0):
		return KindWAN, int(id - p.WANNode(0))
	}
	return "", int(id - p.DeviceNode(0))
}

// Node returns the node with a number.
func (p *Plan) Node(id NodeID) Node {
	kind, i := p.locate(id)
	switch kind {
	case KindSwitch:
		return Node{id, kind, p.Switches[i].Name, i, p.Switches[i].Links}
	case KindNIC:
		return Node{id, kind, p.NICs[i].Name, i, []int{p.NICs[i].Link}}
	case KindWAN:
		return Node{id, kind, p.WANs[i].Name, i, p.WANs[i].Links[:]}
	}
	d := &p.Devices[i]
	return Node{id, d.Kind, d.Name, i, d.Links}
}

// EachNode yields the nodes in the order of their numbers.
func (p *Plan) EachNode(yield func(Node) bool) {
	for id := range NodeID(p.Nodes()) {
		if !yield(p.Node(id)) {
			return
		}
	}
}

// NodeName returns the name of a node.
func (p *Plan) NodeName(id NodeID) string {
	switch kind, i := p.locate(id); kind {
	case KindSwitch:
		return p.Switches[i].Name
	case KindNIC:
		return p.NICs[i].Name
	case KindWAN:
		return p.WANs[i].Name
	default:
		return p.Devices[i].Name
	}
}

// KindOf returns the kind of a node.
func (p *Plan) KindOf(id NodeID) Kind {
	kind, i := p.locate(id)
	if kind == "" {
		kind = p.Devices[i].Kind
	}
	return kind
}

func (p *Plan) isSwitch(id NodeID) bool { return p.KindOf(id) == KindSwitch }

// TransitOf returns what a node of a plan adds to the way of the frames that it forwards.
func TransitOf(p *Plan, id NodeID) fabric.Transit {
	if !p.isSwitch(id) {
		return fabric.Transit{}
	}
	return p.Switches[id].Profile.Transit()
}

// AttachmentAt returns what a node knows of the link at one of its ports.
func (p *Plan) AttachmentAt(node *Node, port int) fabric.Attachment {
	link := node.Links[port]
	return p.Attachment(link, p.Links[link].B == End{Node: node.ID, Port: port})
}

// AttachmentsOf returns what a node knows of the links at its ports, in their order.
func (p *Plan) AttachmentsOf(node *Node) (list []fabric.Attachment) {
	list = make([]fabric.Attachment, 0, len(node.Links))
	for port := range node.Links {
		list = append(list, p.AttachmentAt(node, port))
	}
	return list
}

// LinkName names a link as scenarios do: by its two ends, with their ports if several links join them.
func LinkName(p *Plan, number int) string {
	l := &p.Links[number]
	for i := range p.Links {
		other := &p.Links[i]
		if i != number && (other.A.Node == l.A.Node && other.B.Node == l.B.Node ||
			other.A.Node == l.B.Node && other.B.Node == l.A.Node) {
			return fmt.Sprintf("%s:%d-%s:%d", p.NodeName(l.A.Node), l.A.Port, p.NodeName(l.B.Node), l.B.Port)
		}
	}
	return p.NodeName(l.A.Node) + "-" + p.NodeName(l.B.Node)
}
