package result

import (
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
)

// portPlace is where a port is in the plan.
type portPlace struct {
	plan *plan.Plan
	node *plan.Node
	port int
}

func (p portPlace) end() plan.End { return plan.End{Node: p.node.ID, Port: p.port} }

// peer is the node at the other end of the port's link.
func (p portPlace) peer() string {
	link := &p.plan.Links[p.node.Links[p.port]]
	if link.A == p.end() {
		return p.plan.NodeName(link.B.Node)
	}
	return p.plan.NodeName(link.A.Node)
}

// treatment says in words how the port treats the classes of an egress queue:
// control, lossless or lossy. A NIC treats them as the switch does that hears it.
// It is "" where there is no switch to ask.
func (p portPlace) treatment(has func(rules *profile.Switch, class uint8) bool) string {
	var words []string
	at := *p.node
	port := p.port
	if at.Kind != plan.KindSwitch {
		far := p.plan.Peer(at.Links[port], p.end())
		at, port = p.plan.Node(far.Node), far.Port
	}
	if at.Kind != plan.KindSwitch {
		return ""
	}
	rules := &p.plan.Switches[at.Index].Profile
	protects := rules.PFC.Enabled && (rules.DCI.PFC.Enabled || !p.plan.AttachmentAt(&at, port).DCI)
	for class := range uint8(profile.Classes) {
		word := "lossy"
		switch {
		case !has(rules, class):
			continue
		case rules.Control[class]:
			word = "control"
		case protects && rules.PFC.Lossless[class]:
			word = "lossless"
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, "+")
}

// ofQueue is the treatment of the classes of an egress queue. A NIC has a queue for
// each class.
func (p portPlace) ofQueue(queue int) string {
	return p.treatment(func(rules *profile.Switch, class uint8) bool {
		if p.node.Kind == plan.KindSwitch {
			class = rules.QueueOf[class]
		}
		return int(class) == queue
	})
}

// ofClass is the treatment of a class.
func (p portPlace) ofClass(class int) string {
	return p.treatment(func(_ *profile.Switch, other uint8) bool { return int(other) == class })
}
