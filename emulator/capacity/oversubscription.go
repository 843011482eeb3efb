package capacity

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Fabric describes how much a fabric with several switches can carry between its hosts.
type Fabric struct {
	Oversubscription []Oversubscription `json:"oversubscription"`
	Bisection        *Bisection         `json:"bisection,omitempty"`
}

// Of returns the capacity of the fabric of a plan, nil if no switch has a port that leads away from hosts.
func Of(p *plan.Plan) *Fabric {
	list := oversubscription(p)
	if len(list) == 0 {
		return nil
	}
	return &Fabric{list, bisection(p)}
}

// Oversubscription compares the capacity of switches towards hosts with their capacity away from hosts. It stands for
// all switches that have the same level and the same two capacities.
type Oversubscription struct {
	// Example is the first of the switches, Switches their number.
	Example  string `json:"example"`
	Switches int    `json:"switches"`
	// Level is the distance from the nearest host, in links: 1 if a port leads to a host.
	Level int `json:"level"`
	// Down is the rate, in bit/s, at which the ports to hosts and to switches of a lower level receive. Up is the rate,
	// in bit/s and above 0, at which all other ports to switches send, also over long-haul paths.
	Down unit.BitRate `json:"down_bps"`
	Up   unit.BitRate `json:"up_bps"`
	// Ratio is Down divided by Up: 2 is an oversubscription of 2:1.
	Ratio float64 `json:"ratio"`
}

// oversubscription returns the kinds of switches that have ports away from hosts, in the order of the switches.
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

// Levels returns the level of each switch: its distance from the nearest host in links, from 1 on, or 0 if no host can
// be reached.
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

// switchPeers yields the ports of a switch, each with the node at the far end, beyond a long-haul path if there is one.
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
