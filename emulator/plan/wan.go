package plan

import "github.com/rocelab/rocelab/emulator/profile"

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
