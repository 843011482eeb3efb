package plan

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
)

// WAN is a long-haul path of the plan: a node with two ports. A path of a flow
// has it as one channel, and neither routes nor hops count it.
type WAN struct {
	Name    string
	Profile profile.WAN
	// Links are the links at its two ports.
	Links [2]int
}

// wanOf returns the long-haul path with a node number, nil for another node.
func (p *Plan) wanOf(id NodeID) *WAN {
	if kind, i := p.locate(id); kind == KindWAN {
		return &p.WANs[i]
	}
	return nil
}

// Peer returns the port that hears what end sends over a link: that at the link's
// other end, or beyond the long-haul path there.
func (p *Plan) Peer(link int, end End) End {
	l := &p.Links[link]
	far := l.A
	if far == end {
		far = l.B
	}
	if w := p.wanOf(far.Node); w != nil {
		return p.Peer(w.Links[1-far.Port], End{Node: far.Node, Port: 1 - far.Port})
	}
	return far
}

// DCIPort is a port of a switch that leads over a long-haul path to another
// switch.
type DCIPort struct {
	// Switch and Port are its own, Peer is the port beyond Path.
	Switch, Port int
	Peer         End
	Path         *WAN
	Attachment   fabric.Attachment
}

// DCIPorts yields the DCI ports, in the order of the switches and their ports.
func (p *Plan) DCIPorts(yield func(*DCIPort) bool) {
	if len(p.WANs) == 0 {
		return
	}
	for sw := range p.Switches {
		for port, link := range p.Switches[sw].Links {
			end := End{Node: p.SwitchNode(sw), Port: port}
			l := &p.Links[link]
			path := p.wanOf(l.A.Node)
			if path == nil {
				path = p.wanOf(l.B.Node)
			}
			if path == nil {
				continue
			}
			a := p.Attachment(link, l.B == end)
			if a.DCI && !yield(&DCIPort{
				Switch:     sw,
				Port:       port,
				Peer:       p.Peer(link, end),
				Path:       path,
				Attachment: a,
			}) {
				return
			}
		}
	}
}
