package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// mostBalanced is the most paths from one switch to another among which flows are balanced.
const mostBalanced = 4096

// balance gives flows paths with an equal load of every DCI port: one flow after the other takes, among its shortest
// paths, the one whose DCI ports then have least for their rate, among several the one whose other ports have least,
// and among those the first. The UDP source port that leads there is found as for any pinned flow.
type balance struct {
	*builder
	// load and flows are the sums put on a port, rate is the rate at which it sends.
	load  map[plan.End]unit.BitRate
	flows map[plan.End]int
	rate  map[plan.End]unit.BitRate
	// dci are the DCI ports; like leads from one, step by step, to the one that has the
	// name of all those among which flows chose.
	dci  map[plan.End]bool
	like map[plan.End]plan.End
	// ways are the paths between the switches of sender and receiver.
	ways map[[2]plan.NodeID][]way
}

// way is a path: its ports of switches but for the last, the DCI ports among them first.
type way struct {
	ports []plan.End
	hauls int
}

// balancePaths pins the flows of entries with balanced paths that cross long-haul paths.
func (b *builder) balancePaths(entries []*trafficDraft) {
	if !slices.ContainsFunc(entries, func(draft *trafficDraft) bool { return draft.balanced }) {
		return
	}
	spread := &balance{
		builder: b,
		load:    map[plan.End]unit.BitRate{},
		flows:   map[plan.End]int{},
		rate:    map[plan.End]unit.BitRate{},
		dci:     map[plan.End]bool{},
		like:    map[plan.End]plan.End{},
		ways:    map[[2]plan.NodeID][]way{},
	}
	for port := range b.plan.DCIPorts {
		spread.dci[plan.End{Node: b.plan.SwitchNode(port.Switch), Port: port.Port}] = true
	}
	var asked []*trafficDraft
	crossing := map[*trafficDraft]bool{}
	for i := range b.plan.Flows {
		draft := entries[i]
		if !draft.balanced || b.plan.Flows[i].Path == nil {
			continue
		}
		if !slices.Contains(asked, draft) {
			asked = append(asked, draft)
		}
		crosses, ok := spread.pin(&b.plan.Flows[i], draft)
		if !ok {
			return
		}
		crossing[draft] = crossing[draft] || crosses
	}
	for _, draft := range asked {
		if !crossing[draft] {
			b.add(draft.node.Where("paths"), "paths is balanced, and of traffic %q no flow crosses a long-haul path between "+
				"switches: allowed is ecmp", draft.Name)
		}
	}
	if len(asked) > 0 {
		spread.check(asked[0])
	}
}

// pin takes the best path for a flow, if any of them crosses a long-haul path. ok is false if it added a problem.
func (s *balance) pin(flow *plan.Flow, draft *trafficDraft) (crosses, ok bool) {
	from, to := s.graph.Peer(s.graph.Host(flow.Src), 0), s.graph.Peer(s.graph.Host(flow.Dst), 0)
	ways, known := s.ways[[2]plan.NodeID{from, to}]
	if !known {
		if of := s.routes.Paths(flow.Src, flow.Dst); of > mostBalanced {
			s.add(draft.node.Where("paths"), "paths is balanced, and from %s to %s there are %d: allowed are up to %d, or ecmp",
				s.plan.NICs[flow.Src].Name, s.plan.NICs[flow.Dst].Name, of, mostBalanced)
			return false, false
		}
		ways = s.waysOf(flow)
		s.ways[[2]plan.NodeID{from, to}] = ways
	}
	if len(ways) == 0 || ways[0].hauls == 0 {
		return false, true
	}
	rate, best := s.lineRate(flow.Src), 0
	least := s.after(&ways[0], rate)
	for number := range ways {
		if most := s.after(&ways[number], rate); most[0] < least[0] || most[0] == least[0] && most[1] < least[1] {
			best, least = number, most
		}
	}
	for _, port := range ways[best].ports {
		s.load[port] += rate
		s.flows[port]++
	}
	channels, ports := s.routes.PathNumber(flow.Src, flow.Dst, best)
	flow.Path = channels
	flow.Pin = &plan.Pin{
		Number:   best,
		Of:       len(ways),
		Ports:    ports,
		Balanced: true,
	}
	return true, s.pinsHold(flow, draft, "paths")
}

// waysOf lists the paths of a flow by their numbers.
func (s *balance) waysOf(flow *plan.Flow) (ways []way) {
	for number := range s.routes.Paths(flow.Src, flow.Dst) {
		channels, ports := s.routes.PathNumber(flow.Src, flow.Dst, number)
		ends := s.plan.PortsOn(flow.Src, ports)
		path := way{}
		for i, end := range ends[:max(0, len(ends)-1)] {
			s.rate[end] = channels[i+1].Rate
			if s.dci[end] {
				path.ports = slices.Insert(path.ports, path.hauls, end)
				path.hauls++
				continue
			}
			path.ports = append(path.ports, end)
		}
		for i, port := range path.ports[:path.hauls] {
			if len(ways) > 0 && i < ways[0].hauls {
				s.like[s.nameOf(port)] = s.nameOf(ways[0].ports[i])
			}
		}
		ways = append(ways, path)
	}
	return ways
}

// nameOf is the DCI port that has the name of those among which flows chose.
func (s *balance) nameOf(port plan.End) plan.End {
	for {
		next, ok := s.like[port]
		if !ok || next == port {
			return port
		}
		port = next
	}
}

// after is the most load for their rate that the DCI ports of a path, and its others, would have
// with a flow of that rate.
func (s *balance) after(path *way, rate unit.BitRate) (most [2]float64) {
	for i, port := range path.ports {
		kind := 1
		if i < path.hauls {
			kind = 0
		}
		most[kind] = max(most[kind], float64(s.load[port]+rate)/float64(s.rate[port]))
	}
	return most
}

// check refuses what leaves DCI ports, of those among which flows chose, with unequal loads.
func (s *balance) check(draft *trafficDraft) {
	groups := map[plan.End][]plan.End{}
	var names []plan.End
	for port := range s.plan.DCIPorts {
		end := plan.End{Node: s.plan.SwitchNode(port.Switch), Port: port.Port}
		if s.rate[end] == 0 {
			continue // on no path of theirs
		}
		name := s.nameOf(end)
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], end)
	}
	for _, name := range names {
		ports := groups[name]
		share := func(port plan.End) float64 { return float64(s.load[port]) / float64(s.rate[port]) }
		most, least, flows := ports[0], ports[0], 0
		for _, port := range ports {
			flows += s.flows[port]
			if share(port) > share(most) {
				most = port
			}
			if share(port) < share(least) {
				least = port
			}
		}
		if share(most) != share(least) {
			s.add(draft.node.Where("paths"), "paths is balanced, and %d DCI ports cannot share the flows equally, %d in all: "+
				"%s of %v would have %d, of %v, and %s of %v %d, of %v; allowed are flows that the ports share evenly, or ecmp",
				len(ports), flows, s.plan.PortName(most), s.rate[most], s.flows[most], s.load[most], s.plan.PortName(least),
				s.rate[least], s.flows[least], s.load[least])
			return
		}
	}
}
