package plan

import "github.com/rocelab/rocelab/emulator/fabric"

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
