package plan

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// EdgeRTT returns the least base RTT between two edges: a full frame one way and
// the shortest one back, what links and switches take on empty queues,
// each by the faster of the route to the other's address and the spanning tree. A
// full frame is the largest untagged one that both let through. With one
// edge, or none that reaches another, it is that from an edge to the nearest NIC and
// back, without a NIC along the edge's own link and back; 0 without edges.
func (p *Plan) EdgeRTT() unit.Duration {
	edges, least := p.Edges(), unreachable
	trips := trips{plan: p, known: map[trip]unit.Duration{}}
	for _, i := range edges {
		trips.edges = append(trips.edges, p.DeviceNode(i))
	}
	for j, a := range edges {
		near := trips.edges[j]
		for k, b := range edges {
			if far := trips.edges[k]; k != j {
				full := fullFrame(min(p.EdgeAt(a).MTU, p.EdgeAt(b).MTU))
				there := min(trips.routed(near, len(p.NICs)+k, full), trips.bridged(near, far, full))
				back := min(trips.routed(far, len(p.NICs)+j, shortestFrame), trips.bridged(far, near, shortestFrame))
				least = min(least, sum(there, back))
			}
		}
	}
	if len(edges) == 0 {
		return 0
	}
	if least != unreachable {
		return least
	}
	for j, a := range edges {
		full := fullFrame(p.EdgeAt(a).MTU)
		for i := range p.NICs {
			there := trips.routed(trips.edges[j], i, full)
			least = min(least, sum(there, trips.routed(p.NICNode(i), len(p.NICs)+j, shortestFrame)))
		}
	}
	if least != unreachable {
		return least
	}
	for _, a := range edges {
		own := End{Node: p.DeviceNode(a)}
		far, there := p.cross(own)
		_, back := p.cross(far)
		least = min(least, delayOver(there, fullFrame(p.EdgeAt(a).MTU))+delayOver(back, shortestFrame))
	}
	return least
}

// unreachable is the time of a trip that no way takes.
const unreachable = unit.Duration(unit.Never)

// shortestFrame is the length of the shortest frame on a wire.
var shortestFrame = wire.Full.ShortestFrame()

// fullFrame returns the length of the largest untagged frame on a wire: 14 B of Ethernet's header before the payload.
func fullFrame(mtu unit.Bytes) unit.Bytes { return wire.Full.BytesOf(mtu+14, nil) }

// sum adds the times of two trips.
func sum(there, back unit.Duration) unit.Duration {
	if there == unreachable || back == unreachable {
		return unreachable
	}
	return there + back
}

// cross returns the port that hears what leaves at a port, and the hop to it, a long-haul path at its shortest.
func (p *Plan) cross(from End) (far End, hop fabric.Hop) {
	node := p.Node(from.Node)
	index := node.Links[from.Port]
	link := &p.Links[index]
	channel, far := link.Forward, link.B
	if link.B == from {
		channel, far = link.Backward, link.A
	}
	hop = fabric.Hop{Channel: channel, Transit: TransitOf(p, from.Node)}
	path := p.wanOf(far.Node)
	if path == nil {
		return far, hop
	}
	hop.Channel.Latency = unreachable
	for i := range path.Profile.Phases {
		hop.Channel.Latency = min(hop.Channel.Latency, path.Profile.Phases[i].Delay[far.Port])
	}
	return p.Peer(index, from), hop
}

// delayOver returns the time of a frame with the given bytes over one hop.
func delayOver(hop fabric.Hop, bytes unit.Bytes) unit.Duration {
	return fabric.Path{hop}.Delay(bytes, wire.Full)
}

// fromTo is the time from a frame's first bit at one hop to its first bit at the next.
func fromTo(hop, next fabric.Hop, bytes unit.Bytes) unit.Duration {
	return fabric.Path{hop, next}.Start(1, bytes, wire.Full)
}

// trip is a frame's way from a port to a station.
type trip struct {
	port    End
	station int
	bytes   unit.Bytes
}

// trips finds the times of trips, and keeps those it knows.
type trips struct {
	plan  *Plan
	known map[trip]unit.Duration
	// edges are the nodes of the edges.
	edges []NodeID
}

// routed is the least time from a NIC or an edge to a station, by the routes of the
// switches.
func (t *trips) routed(from NodeID, station int, bytes unit.Bytes) unit.Duration {
	return t.by(End{Node: from}, station, bytes)
}

// by is the least time to a station for a frame that leaves at a port.
func (t *trips) by(port End, station int, bytes unit.Bytes) unit.Duration {
	far, hop := t.plan.cross(port)
	if far.Node == t.node(station) {
		return delayOver(hop, bytes)
	}
	if !t.plan.isSwitch(far.Node) {
		return unreachable
	}
	key := trip{port, station, bytes}
	if took, ok := t.known[key]; ok {
		return took
	}
	t.known[key] = unreachable // routes have no loops; a plan that has one ends here
	sw, least := &t.plan.Switches[far.Node], unreachable
	for _, port := range sw.NextHops[sw.Routes[station]] {
		onward := End{Node: far.Node, Port: int(port)}
		_, next := t.plan.cross(onward)
		least = min(least, sum(fromTo(hop, next, bytes), t.by(onward, station, bytes)))
	}
	t.known[key] = least
	return least
}

// node is the node of a station.
func (t *trips) node(station int) NodeID {
	if nics := len(t.plan.NICs); station >= nics {
		return t.edges[station-nics]
	}
	return t.plan.NICNode(station)
}

// bridged is the time from one edge to another along the spanning tree.
func (t *trips) bridged(from, to NodeID, bytes unit.Bytes) unit.Duration {
	if way := t.along(nil, End{Node: from}, to); way != nil {
		return way.Delay(bytes, wire.Full)
	}
	return unreachable
}

// along is a way that goes on at a port, to an edge along the spanning tree; nil if it does not lead there.
func (t *trips) along(way fabric.Path, out End, to NodeID) fabric.Path {
	in, hop := t.plan.cross(out)
	way = append(way, hop)
	if in.Node == to {
		return way
	}
	if !t.plan.isSwitch(in.Node) {
		return nil
	}
	for port, open := range t.plan.Switches[in.Node].Tree {
		if open && port != in.Port {
			if whole := t.along(way, End{Node: in.Node, Port: port}, to); whole != nil {
				return whole
			}
		}
	}
	return nil
}
