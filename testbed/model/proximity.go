package model

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/switchd"
)

func proximityOf(x *plan.Proximity) *switchd.Proximity {
	return &switchd.Proximity{
		Nearest: numbered(x.Nearest),
		Home:    numbered(x.Home),
		Edge:    x.Edge,
		Longest: x.Longest,
		Loops:   x.Loops,
		Access:  x.Access,
		Onward:  x.Onward,
		Receipt: x.Receipt,
		Latency: x.Latency,
	}
}

// numbered are switches by number, below 0 for none.
func numbered(switches []int) []uint16 {
	list := make([]uint16, len(switches))
	for i, number := range switches {
		list[i] = switchd.Nobody
		if number >= 0 {
			list[i] = uint16(number)
		}
	}
	return list
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
