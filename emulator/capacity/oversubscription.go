package capacity

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Fabric is how much a fabric carries between its hosts. It is of fabrics with several switches.
type Fabric struct {
	Oversubscription []Oversubscription `json:"oversubscription"`
	Bisection        *Bisection         `json:"bisection,omitempty"`
}

// Of returns the capacity of the fabric of a plan, nil of one in which no switch has a port away from hosts.
func Of(p *plan.Plan) *Fabric {
	list := oversubscription(p)
	if len(list) == 0 {
		return nil
	}
	return &Fabric{list, bisection(p)}
}

// Oversubscription is the capacity of switches towards hosts beside their capacity away from them. The switches are
// alike in level and in both capacities.
type Oversubscription struct {
	// Example is the first of the switches, Switches their number.
	Example  string `json:"example"`
	Switches int    `json:"switches"`
	// Level is the distance from the nearest host, in links: 1 with a port to a host.
	Level int `json:"level"`
	// Down is the rate, in bit/s, at which the ports to hosts and to switches of a lower level receive. Up is the rate at
	// which the ports to all other switches send, those over a long-haul path included; it is above 0.
	Down unit.BitRate `json:"down_bps"`
	Up   unit.BitRate `json:"up_bps"`
	// Ratio is Down over Up: 2 is an oversubscription of 2:1.
	Ratio float64 `json:"ratio"`
}

// oversubscription returns the kinds of switches with ports away from hosts, in the order of the switches.
func oversubscription(p *plan.Plan) (list []Oversubscription) {
	levels := Levels(p)
	places := map[Oversubscription]int{}
	for i := range p.Switches {
		kind := Oversubscription{Level: levels[i]}
		node := p.Node(p.SwitchNode(i))
		for port, far := range switchPeers(p, i) {
			a := p.AttachmentAt(&node, port)
			switch {
			case p.IsHost(far), isSwitch(p, far) && levels[p.Node(far).Index] < levels[i]:
				kind.Down += a.Rx.Rate
			case isSwitch(p, far):
				kind.Up += a.Tx.Rate
			}
		}
		if kind.Level == 0 || kind.Up == 0 {
			continue
		}
		place, known := places[kind]
		if !known {
			place = len(list)
			places[kind] = place
			kind.Example, kind.Ratio = p.Switches[i].Name, float64(kind.Down)/float64(kind.Up)
			list = append(list, kind)
		}
		list[place].Switches++
	}
	return list
}

// Levels returns the level of each switch, its distance from the nearest host in links, from 1 on; 0 if there is no
// way to a host.
func Levels(p *plan.Plan) []int {
	levels := make([]int, len(p.Switches))
	var queue []int
	for i := range p.Switches {
		for _, far := range switchPeers(p, i) {
			if levels[i] == 0 && p.IsHost(far) {
				levels[i] = 1
				queue = append(queue, i)
			}
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, far := range switchPeers(p, i) {
			if node := p.Node(far); node.Kind == plan.KindSwitch && levels[node.Index] == 0 {
				levels[node.Index] = levels[i] + 1
				queue = append(queue, node.Index)
			}
		}
	}
	return levels
}

// switchPeers yields the ports of a switch with the node at the far end, which no long-haul path is.
func switchPeers(p *plan.Plan, i int) func(yield func(port int, far plan.NodeID) bool) {
	return func(yield func(port int, far plan.NodeID) bool) {
		for port, link := range p.Switches[i].Links {
			if !yield(port, p.Peer(link, plan.End{Node: p.SwitchNode(i), Port: port}).Node) {
				return
			}
		}
	}
}

func isSwitch(p *plan.Plan, id plan.NodeID) bool { return p.KindOf(id) == plan.KindSwitch }
