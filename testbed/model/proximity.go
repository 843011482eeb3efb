package model

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/switchd"
)

func proximityOf(x *plan.Proximity) *switchd.Proximity {
	p := &switchd.Proximity{Edge: x.Edge, Loops: x.Loops, Access: x.Access, Nearest: make([]uint16, len(x.Nearest))}
	for nic, device := range x.Nearest {
		p.Nearest[nic] = switchd.Nobody
		if device >= 0 {
			p.Nearest[nic] = uint16(device)
		}
	}
	return p
}

// connect adds a connection of the NIC src to its proximal device.
func (f *Fabric) connect(p *plan.Plan, src int, c switchd.Connection) {
	if len(p.Switches) == 0 || p.Switches[0].Proximity == nil {
		return
	}
	if device := p.Switches[0].Proximity.Nearest[src]; device >= 0 {
		x := f.Nodes[p.SwitchNode(device)].Design.(*Switch).Proximity
		x.Connections = append(x.Connections, c)
	}
}
