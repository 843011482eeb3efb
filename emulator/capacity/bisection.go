package capacity

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Bisection is the bandwidth between two halves of the hosts. The hosts are taken in the order of their switches, and
// the hosts of one switch in their own order. With an odd number of hosts the first half has one host less.
//
// In a generated fabric with an even number of equal switches that have hosts, no other division has less bandwidth
// between its halves: a test tries all divisions of small fabrics. In a fabric of explicit nodes and links another
// division may have less. Finding the least of all is NP-hard.
type Bisection struct {
	// Rate is the highest rate that the links can carry from the hosts of First to the hosts of Second, in bit/s and
	// above 0.
	Rate   unit.BitRate `json:"rate_bps"`
	First  half         `json:"first"`
	Second half         `json:"second"`
	// Ratio is the smaller capacity of the two halves divided by Rate: 1 is full bisection.
	Ratio float64 `json:"ratio"`
}

// half is one half of the hosts.
type half struct {
	Hosts int `json:"hosts"`
	// From and To are the first and the last of their switches. One switch may have hosts of both halves.
	From string `json:"from"`
	To   string `json:"to"`
	// Capacity is the total rate, in bit/s, at which the half's hosts can send (First) or receive (Second).
	Capacity unit.BitRate `json:"capacity_bps"`
}

// String is the half in words: "8 hosts at leaf0 to leaf1".
func (h *half) String() string {
	if h.From == h.To {
		return fmt.Sprintf("%d hosts at %s", h.Hosts, h.From)
	}
	return fmt.Sprintf("%d hosts at %s to %s", h.Hosts, h.From, h.To)
}

// bisection returns the bisection of a fabric, nil if all hosts are at one switch or no link joins the halves.
func bisection(p *plan.Plan) *Bisection {
	hosts := hostsBySwitch(p)
	if len(hosts) == 0 || hosts[0].at == hosts[len(hosts)-1].at {
		return nil
	}
	b := &Bisection{}
	out, in := make([]unit.BitRate, len(p.Switches)), make([]unit.BitRate, len(p.Switches))
	for i, h := range hosts {
		half, rate := &b.First, h.out
		if i < len(hosts)/2 {
			out[h.at] += rate
		} else {
			half, rate = &b.Second, h.in
			in[h.at] += rate
		}
		half.To = p.Switches[h.at].Name
		if half.Hosts++; half.Hosts == 1 {
			half.From = half.To
		}
		half.Capacity += rate
	}
	if b.Rate = between(p, out, in); b.Rate == 0 {
		return nil
	}
	b.Ratio = float64(min(b.First.Capacity, b.Second.Capacity)) / float64(b.Rate)
	return b
}

// switchHost is a host at a switch, with its rates of sending and receiving.
type switchHost struct {
	at      int
	out, in unit.BitRate
}

// hostsBySwitch returns the hosts that are at switches, sorted by switch and then by link.
func hostsBySwitch(p *plan.Plan) (hosts []switchHost) {
	for i := range p.Links {
		l := &p.Links[i]
		switch a, b := l.A.Node, l.B.Node; {
		case isSwitch(p, a) && p.IsHost(b):
			hosts = append(hosts, switchHost{int(a), l.Backward.Rate, l.Forward.Rate})
		case p.IsHost(a) && isSwitch(p, b):
			hosts = append(hosts, switchHost{int(b), l.Forward.Rate, l.Backward.Rate})
		}
	}
	slices.SortStableFunc(hosts, func(a, b switchHost) int { return cmp.Compare(a.at, b.at) })
	return hosts
}

// between returns the most that switches and long-haul paths can carry from hosts to hosts. The senders of each switch
// send at the rate in out, the receivers of each switch receive at the rate in in.
func between(p *plan.Plan, out, in []unit.BitRate) unit.BitRate {
	graph := newNetwork(p.Nodes() + 2)
	source, sink := p.Nodes(), p.Nodes()+1
	for i := range p.Links {
		if l := &p.Links[i]; carries(p, l.A.Node) && carries(p, l.B.Node) {
			graph.join(int(l.A.Node), int(l.B.Node), l.Forward.Rate, l.Backward.Rate)
		}
	}
	for i := range p.Switches {
		if out[i] > 0 {
			graph.join(source, i, out[i], 0)
		}
		if in[i] > 0 {
			graph.join(i, sink, in[i], 0)
		}
	}
	return graph.maxFlow(source, sink)
}

// carries reports whether a node forwards frames.
func carries(p *plan.Plan, id plan.NodeID) bool {
	kind := p.KindOf(id)
	return kind == plan.KindSwitch || kind == plan.KindWAN
}

// String describes the bisection in one line.
func (b *Bisection) String() string {
	return fmt.Sprintf("%v from the %v to the %v, which can use %v: %s:1", b.Rate, &b.First, &b.Second,
		min(b.First.Capacity, b.Second.Capacity), unit.Figure(b.Ratio))
}
