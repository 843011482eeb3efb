package plan

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// EdgeRTT returns the least base RTT between two edges: a full frame one way and
// the shortest one back, latency plus store and forward at every hop on empty queues,
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
		far, there := p.cross(own, fullFrame(p.EdgeAt(a).MTU))
		_, back := p.cross(far, shortestFrame)
		least = min(least, there+back)
	}
	return least
}

// unreachable is the time of a trip that no way takes.
const unreachable = unit.Duration(unit.Never)

// shortestFrame is what the shortest frame counts for on a wire.
var shortestFrame = wire.Full.ShortestFrame()

// fullFrame is what the largest untagged frame counts for on a wire: 14 B of Ethernet's
// header before the payload.
func fullFrame(mtu unit.Bytes) unit.Bytes { return wire.Full.BytesOf(mtu+14, nil) }

// sum adds the times of two trips.
func sum(there, back unit.Duration) unit.Duration {
	if there == unreachable || back == unreachable {
		return unreachable
	}
	return there + back
}

// cross returns the port that hears what leaves at a port, and how long a frame of so
// many bytes takes to be there, at a long-haul path's shortest.
func (p *Plan) cross(from End, bytes unit.Bytes) (far End, took unit.Duration) {
	node := p.Node(from.Node)
	index := node.Links[from.Port]
	link := &p.Links[index]
	channel, far := link.Forward, link.B
	if link.B == from {
		channel, far = link.Backward, link.A
	}
	serial := wire.Full.SerialTimeOf(bytes, channel.Rate)
	path := p.wanOf(far.Node)
	if path == nil {
		return far, serial + channel.Latency
	}
	delay := unreachable
	for i := range path.Profile.Phases {
		delay = min(delay, path.Profile.Phases[i].Delay[far.Port])
	}
	return p.Peer(index, from), serial + delay
}

// trip is a frame's way from a switch to a station.
type trip struct {
	at      NodeID
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
	far, took := t.plan.cross(port, bytes)
	if far.Node == t.node(station) {
		return took
	}
	if !t.plan.isSwitch(far.Node) {
		return unreachable
	}
	return sum(took, t.from(far.Node, station, bytes))
}

// from is the least time from a switch to a station.
func (t *trips) from(at NodeID, station int, bytes unit.Bytes) unit.Duration {
	key := trip{at, station, bytes}
	if took, ok := t.known[key]; ok {
		return took
	}
	t.known[key] = unreachable // routes have no loops; a plan that has one ends here
	sw, least := &t.plan.Switches[at], unreachable
	for _, port := range sw.NextHops[sw.Routes[station]] {
		least = min(least, t.by(End{Node: at, Port: int(port)}, station, bytes))
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
	far, took := t.plan.cross(End{Node: from}, bytes)
	return sum(took, t.along(far, to, bytes))
}

// along is the time from a port, at which a frame came in, to an edge.
func (t *trips) along(in End, to NodeID, bytes unit.Bytes) unit.Duration {
	if in.Node == to {
		return 0
	}
	if !t.plan.isSwitch(in.Node) {
		return unreachable
	}
	for port, open := range t.plan.Switches[in.Node].Tree {
		if open && port != in.Port {
			far, took := t.plan.cross(End{Node: in.Node, Port: port}, bytes)
			if rest := t.along(far, to, bytes); rest != unreachable {
				return took + rest
			}
		}
	}
	return unreachable
}
