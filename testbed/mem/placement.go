package mem

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
)

// targets returns the receiving end of each link direction.
func targets(p *plan.Plan) []fabric.Target {
	t := make([]fabric.Target, 0, 2*len(p.Links))
	for i := range p.Links {
		l := &p.Links[i]
		t = append(t, fabric.Target{Node: int(l.B.Node), Port: l.B.Port}, fabric.Target{Node: int(l.A.Node), Port: l.A.Port})
	}
	return t
}

// placement groups nodes for the engine: a node with one port goes with the switch there, as a NIC with its own. Its
// port is taken to cost twice a switch's, an estimate: a NIC makes and ends the frames.
func placement(p *plan.Plan) (neighbour, weight []int) {
	for n := range p.EachNode {
		beside, load := -1, 2
		if n.Kind == plan.KindSwitch {
			load = len(n.Links)
		} else if len(n.Links) == 1 {
			l := &p.Links[n.Links[0]]
			peer := l.A.Node
			if peer == n.ID {
				peer = l.B.Node
			}
			if p.KindOf(peer) == plan.KindSwitch {
				beside = int(peer)
			}
		}
		neighbour, weight = append(neighbour, beside), append(weight, load)
	}
	return neighbour, weight
}
