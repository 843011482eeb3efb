package scenario

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// addProximity gives switches what proximal CNP needs to know, where one of them
// has it: those without carry the messages of the others.
func (b *builder) addProximity() {
	on := false
	for i := range b.plan.Switches {
		on = on || b.plan.Switches[i].Profile.Proximal.Enabled
	}
	if !on || len(b.list) > 0 {
		return
	}
	nearest := make([]int, len(b.graph.Hosts)) // of edges too, where nobody reacts
	access := make([]unit.Duration, len(b.graph.Hosts))
	for i := range nearest {
		nearest[i] = -1
		if i >= b.numNICs() {
			continue
		}
		s := b.graph.Peer(b.graph.Host(i), 0)
		if b.graph.IsHost(s) || !b.plan.Switches[s].Profile.Proximal.Enabled {
			continue
		}
		nearest[i] = int(s)
		l := &b.graph.Links[b.graph.LinksOf(b.graph.Host(i))[0]]
		there, back := l.Forward, l.Backward
		if l.A.Node != s {
			there, back = back, there
		}
		access[i] = b.messageDelay(there) + b.packetDelay(back)
	}
	mesh := b.graph.SwitchPaths()
	for i := range b.plan.Switches {
		s := &b.plan.Switches[i]
		s.Proximity = b.proximity(mesh, plan.NodeID(i), nearest, access)
	}
}

// proximity returns what one switch knows.
func (b *builder) proximity(mesh *topology.SwitchPaths, at plan.NodeID, nearest []int,
	access []unit.Duration) *plan.Proximity {
	sw := &b.plan.Switches[at]
	n := len(b.plan.Switches)
	known := &plan.Proximity{
		Loopbacks: make([]uint16, n),
		Loops:     make([]unit.Duration, n),
		Nearest:   nearest,
		Access:    access,
		Edge:      make([]bool, len(sw.Links)),
	}
	for port := range known.Edge {
		peer := b.graph.Peer(at, port)
		known.Edge[port] = b.graph.IsHost(peer) && !b.isEdge(peer)
	}
	for to := range n {
		known.Loopbacks[to] = uint16(len(sw.NextHops))
		sw.NextHops = append(sw.NextHops, mesh.NextHops(at, plan.NodeID(to)))
		there, ok := mesh.Path(at, plan.NodeID(to))
		back, _ := mesh.Path(plan.NodeID(to), at)
		if !ok {
			continue
		}
		for _, c := range there {
			known.Loops[to] += b.messageDelay(c)
		}
		for _, c := range back {
			known.Loops[to] += b.packetDelay(c)
		}
	}
	return known
}

// packetDelay is how long a full-size packet takes over a channel, control a message.
func (b *builder) packetDelay(channel fabric.Channel) unit.Duration {
	return channel.Latency + b.plan.Accounting.SerialTime(&Extensions(nil).exchange(nil, b.plan.MTU).data, channel.Rate)
}

func (b *builder) messageDelay(channel fabric.Channel) unit.Duration {
	return channel.Latency +
		b.plan.Accounting.SerialTime(&wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.CNP}, channel.Rate)
}

// nobodyReacts reports whether switches have proximal CNP, but none that a NIC
// hangs on.
func nobodyReacts(planned *plan.Plan) bool {
	if len(planned.Switches) == 0 || planned.Switches[0].Proximity == nil {
		return false
	}
	for _, device := range planned.Switches[0].Proximity.Nearest {
		if device >= 0 {
			return false
		}
	}
	return true
}
