package result

import (
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ranPort is a port as it was planned and what it did.
type ranPort struct {
	*record.Port
	portPlace
	// index is the class, queue or drop reason that a row of a sheet is about.
	index int
	// runEnd is the end of the run.
	runEnd unit.Time
	// fullest is the largest use of the switch's buffer.
	fullest unit.Bytes
}

func (r *ranPort) class() *record.Class { return r.Classes.At(r.index) }
func (r *ranPort) queue() *record.Queue { return r.Queues.At(r.index) }

// eachPort yields the ports in the order of the plan: the rows of portSheet.
func (o *Outcome) eachPort(yield func(*ranPort) bool) {
	for node := range o.Plan.EachNode {
		ports := o.portsOf(&node)
		fullest := unit.Bytes(0)
		if node.Kind == plan.KindSwitch {
			fullest = o.Switches[node.Index].BufferMax
		}
		for i := range ports {
			if !yield(&ranPort{&ports[i], portPlace{o.Plan, &node, i}, 0, o.End, fullest}) {
				return
			}
		}
	}
}

// portPlace is where a port is in the plan.
type portPlace struct {
	plan *plan.Plan
	node *plan.Node
	port int
}

func (p portPlace) end() plan.End { return plan.End{Node: p.node.ID, Port: p.port} }

func (p portPlace) name() string { return portName(p.node.Name, p.port) }

// rules are the settings of the switch that the port is of, nil for a port of another node.
func (p portPlace) rules() *profile.Switch {
	if p.node.Kind != plan.KindSwitch {
		return nil
	}
	return p.plan.Switches[p.node.Index].Profile.OfPort(p.port)
}

// hasData reports whether an egress queue is one of a switch, and not one of control classes only.
func (p portPlace) hasData(queue int) bool {
	rules := p.rules()
	return rules != nil && rules.DataQueue(queue)
}

// peer is the node at the other end of the port's link.
func (p portPlace) peer() string {
	link := &p.plan.Links[p.node.Links[p.port]]
	if link.A == p.end() {
		return p.plan.NodeName(link.B.Node)
	}
	return p.plan.NodeName(link.A.Node)
}

// treatment describes how the port treats the classes of an egress queue: control, lossless or lossy. A NIC treats them
// as the switch at the other end of its link does. It is "" if there is no such switch.
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

// rate is that of the port's link, outwards.
func (p portPlace) rate() unit.BitRate { return p.plan.AttachmentAt(p.node, p.port).Tx.Rate }

// marking returns the thresholds of the first class of an egress queue that marks at the port of a switch, and false if
// none does.
func (p portPlace) marking(queue int) (kmin, kmax unit.Bytes, marks bool) {
	rules := p.rules()
	if rules == nil {
		return 0, 0, false
	}
	link := p.plan.AttachmentAt(p.node, p.port)
	for class := range rules.ECN {
		wred := &rules.ECN[class]
		if int(rules.QueueOf[class]) != queue || !wred.Enabled || link.DCI && !rules.DCI.ECN.Enabled {
			continue
		}
		if link.DCI {
			port := rules.DCIFor(&link, 0)
			return port.Kmin, port.Kmax, true
		}
		kmin, kmax = wred.At(link.Tx.Rate)
		return kmin, kmax, true
	}
	return 0, 0, false
}

// xoff returns the bytes that a class may hold at the port of a switch before it asks for a pause, with used bytes of
// the buffer in use, and false if it never asks. At a DCI port the threshold is fixed.
func (p portPlace) xoff(class int, used unit.Bytes) (unit.Bytes, bool) {
	rules := p.rules()
	if rules == nil || p.ofClass(class) != "lossless" {
		return 0, false
	}
	ports := p.plan.AttachmentsOf(p.node)
	if ports[p.port].DCI {
		return rules.DCIFor(&ports[p.port], p.plan.MaxFrame()).XOFF, true
	}
	return rules.XOFFAt(p.port, ports, p.plan.MaxFrame(), used), true
}
