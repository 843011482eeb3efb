package capacity

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Placement describes where the ranks of collectives are. It stands for all collectives that differ only in their names
// and hosts.
type Placement struct {
	// Example is the first of the collectives, Jobs their number; From and To are the hosts of its first and last rank.
	Example   string `json:"example"`
	Jobs      int    `json:"jobs"`
	From      string `json:"from"`
	To        string `json:"to"`
	Operation string `json:"operation"`
	Method    string `json:"method,omitempty"`
	Ranks     int    `json:"ranks"`
	// Leaves is the number of leaf switches that connect hosts with ranks. Sites is the number of parts of the fabric
	// with ranks; only long-haul paths join these parts.
	Leaves int `json:"leaf_switches"`
	Sites  int `json:"sites"`
	// Stride is the number of hosts from the host of one rank to that of the next one: 1 if they are contiguous, 0 if
	// it is irregular. With a stride above 1, each pass over the hosts begins one host after the pass before. The
	// stride holds within each of Groups equal groups of consecutive ranks, 1 unless the method divides them.
	Stride int `json:"stride"`
	Groups int `json:"groups"`
}

// Order is Stride in words.
func (j *Placement) Order() string {
	text := "irregular"
	switch {
	case j.Stride == 1:
		text = "contiguous"
	case j.Stride != 0:
		text = fmt.Sprintf("stride %d", j.Stride)
	}
	if j.Groups > 1 {
		text += fmt.Sprintf(" in %d groups", j.Groups)
	}
	return text
}

// Placements returns the placements of the collectives of a plan, in their order.
func Placements(p *plan.Plan) (list []Placement) {
	if len(p.Collectives) == 0 {
		return nil
	}
	sites := sites(p)
	places := map[Placement]int{}
	for i := range p.Collectives {
		c := &p.Collectives[i]
		kind := Placement{
			Operation: c.Operation,
			Method:    c.Method,
			Ranks:     len(c.Places),
			Stride:    strideOf(c),
			Groups:    max(1, c.Groups),
		}
		leaves, at := map[plan.NodeID]bool{}, map[int]bool{}
		for _, place := range c.Places {
			id := p.NICNode(place.NIC)
			leaves[p.Peer(p.NICs[place.NIC].Link, plan.End{Node: id}).Node] = true
			at[sites[id]] = true
		}
		kind.Leaves, kind.Sites = len(leaves), len(at)
		place, known := places[kind]
		if !known {
			place = len(list)
			places[kind] = place
			kind.Example = c.Name
			kind.From, kind.To = p.NICs[c.Places[0].NIC].Name, p.NICs[c.Places[len(c.Places)-1].NIC].Name
			list = append(list, kind)
		}
		list[place].Jobs++
	}
	return list
}

// strideOf is the Stride of a placement.
func strideOf(c *plan.Collective) (stride int) {
	group := len(c.Places) / max(1, c.Groups)
	turns := 0
	for rank := range c.Places {
		if rank%group == 0 {
			turns = 0
			continue
		}
		first, here := c.Places[rank-rank%group].NIC, c.Places[rank].NIC
		switch step := here - c.Places[rank-1].NIC; {
		case stride == 0 || step == stride:
			stride = step
		case here == first+turns+1: // the next pass begins
			turns++
		default:
			return 0
		}
	}
	return stride
}

// sites returns, for each node, the number of its site: of the part of the fabric that it can reach without a long-haul
// path.
func sites(p *plan.Plan) []int {
	sites := make([]int, p.Nodes())
	if len(p.WANs) == 0 {
		return sites
	}
	graph := newNetwork(p.Nodes())
	for i := range p.Links {
		if a, b := p.Links[i].A.Node, p.Links[i].B.Node; p.KindOf(a) != plan.KindWAN && p.KindOf(b) != plan.KindWAN {
			graph.join(int(a), int(b), unit.Gbps, unit.Gbps) // any capacity
		}
	}
	for next, site := range sites {
		if site != 0 {
			continue
		}
		graph.reaches(next, next)
		for i, distance := range graph.distance {
			if distance >= 0 {
				sites[i] = next + 1
			}
		}
	}
	return sites
}
