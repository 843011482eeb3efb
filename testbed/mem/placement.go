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

// placement tells the engine what belongs together: a NIC beside its switch.
// A NIC's port is taken to cost twice a switch's, an estimate: it makes and ends the
// frames.
func placement(p *plan.Plan) (neighbour, weight []int) {
	for i := range p.Switches {
		neighbour = append(neighbour, -1)
		weight = append(weight, len(p.Switches[i].Links))
	}
	for i := range p.NICs {
		l := &p.Links[p.NICs[i].Link]
		peer := l.A.Node
		if peer == p.NICNode(i) {
			peer = l.B.Node
		}
		if int(peer) >= len(p.Switches) {
			peer = -1
		}
		neighbour = append(neighbour, int(peer))
		weight = append(weight, 2)
	}
	for range p.WANs {
		neighbour = append(neighbour, -1)
		weight = append(weight, 2)
	}
	return neighbour, weight
}
