package scenario

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/topology"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var proximityPass = pass{
	name:  "proximity",
	after: []*pass{&switchPass},
	run:   addProximity,
}

// addProximity gives switches their inputs for proximal CNP, if one of them has it: switches without it carry the
// messages of the others.
func addProximity(b *builder) {
	on := false
	for i := range b.plan.Switches {
		on = on || b.plan.Switches[i].Profile.Proximal.Enabled
	}
	if !on || len(b.list) > 0 {
		return
	}
	for i := range b.plan.Switches {
		if sw := &b.plan.Switches[i]; sw.Profile.CutThrough {
			b.add(b.settingPosition(sw.Name, "cut_through"), "cut_through is on at %s, and proximal.enabled at a "+
				"switch of the fabric: use only one of them, because proximal CNP needs whole packets", sw.Name)
			return
		}
	}
	stations := len(b.graph.Hosts) // NICs, and edges, where nobody reacts
	common := plan.Proximity{
		Nearest: make([]int, stations),
		Access:  make([]unit.Duration, stations),
		Home:    make([]int, stations),
		Receipt: make([]unit.Duration, stations),
	}
	for i := range stations {
		common.Nearest[i], common.Home[i] = -1, -1
		s := b.graph.Peer(b.graph.Host(i), 0)
		if b.graph.IsHost(s) {
			continue
		}
		l := &b.graph.Links[b.graph.LinksOf(b.graph.Host(i))[0]]
		down, up := fabric.PathOf(l.Forward), fabric.PathOf(l.Backward)
		if l.A.Node != s {
			down, up = up, down
		}
		common.Home[i] = int(s)
		common.Receipt[i] = b.packetDelay(down) + b.messageDelay(up)
		if i < b.numNICs() && b.plan.Switches[s].Profile.Proximal.Enabled {
			common.Nearest[i] = int(s)
			common.Access[i] = b.messageDelay(down) + b.packetDelay(up)
		}
	}
	for i := range b.plan.Switches {
		common.Latency = append(common.Latency, b.plan.Switches[i].Profile.Latency)
	}
	mesh := b.graph.SwitchPaths()
	for i := range b.plan.Switches {
		b.plan.Switches[i].Proximity = b.proximity(mesh, plan.NodeID(i), common)
	}
}

// proximity returns one switch's knowledge beyond the common part.
func (b *builder) proximity(mesh *topology.SwitchPaths, at plan.NodeID, known plan.Proximity) *plan.Proximity {
	sw := &b.plan.Switches[at]
	n := len(b.plan.Switches)
	known.Loopbacks = make([]uint16, n)
	known.Loops, known.Onward = make([]unit.Duration, n), make([]unit.Duration, n)
	known.Edge = make([]bool, len(sw.Links))
	for port := range known.Edge {
		peer := b.graph.Peer(at, port)
		known.Edge[port] = b.graph.IsHost(peer) && !b.isEdge(peer)
	}
	for to := range n {
		known.Loopbacks[to] = uint16(len(sw.NextHops))
		sw.NextHops = append(sw.NextHops, mesh.NextHops(at, plan.NodeID(to)))
		there, ok := mesh.Path(at, plan.NodeID(to))
		back, _ := mesh.Path(plan.NodeID(to), at)
		known.Onward[to] = 2 * sw.Profile.Latency
		if !ok || to == int(at) {
			continue
		}
		far := b.plan.Switches[to].Profile.Latency
		known.Loops[to] = b.messageDelay(there) + far + b.packetDelay(back)
		known.Onward[to] += b.packetDelay(there) + 2*far + b.messageDelay(back)
	}
	known.Longest = longestLoops(sw, int(at), &known)
	return &known
}

// longestLoops returns, for each port of switch at, the longest loop to a device that is notified of flows in its
// queues. These come from other ports than the one through which they leave, so a sender to which the port itself leads
// is never among them.
func longestLoops(sw *plan.Switch, at int, known *plan.Proximity) []unit.Duration {
	longest, onward := make([]unit.Duration, len(sw.Links)), make([]unit.Duration, len(sw.Links))
	for dst, home := range known.Home {
		if home < 0 {
			continue
		}
		for _, port := range sw.NextHops[sw.Routes[dst]] {
			onward[port] = max(onward[port], known.Onward[home]+known.Receipt[dst])
		}
	}
	notify := sw.Profile.Proximal.Notify
	for src, device := range known.Nearest {
		if device < 0 || notify == profile.NotifyNever && device != at {
			continue
		}
		loop, spared := known.Loops[device]+known.Access[src], unit.Duration(0)
		if device != at {
			spared = known.Latency[device]
		}
		for port := range longest {
			tells := notify != profile.NotifyNearer || device == at || loop <= onward[port]+spared
			if tells && !slices.Contains(sw.NextHops[sw.Routes[src]], uint16(port)) {
				longest[port] = max(longest[port], loop)
			}
		}
	}
	return longest
}

// packetDelay returns the time of a full-size packet along a path, messageDelay the time of a CNP.
func (b *builder) packetDelay(path fabric.Path) unit.Duration {
	packet := &Extensions(nil).exchange(nil, b.plan.MTU).data
	return path.Delay(b.plan.Accounting.Bytes(packet), b.plan.Accounting)
}

func (b *builder) messageDelay(path fabric.Path) unit.Duration {
	cnp := &wire.Frame{EtherType: wire.EtherTypeIPv4, Opcode: wire.CNP}
	return path.Delay(b.plan.Accounting.Bytes(cnp), b.plan.Accounting)
}

var triggerCheck = pass{
	name:  "triggers of proximal CNP",
	after: []*pass{&dciThresholds},
	run:   checkTriggers,
}

// checkTriggers refuses a threshold of proximal CNP that no queue of its switch can reach.
func checkTriggers(b *builder) {
	for i := range b.plan.Switches {
		sw := &b.plan.Switches[i]
		most := sw.Profile.Buffer
		for port := range b.plan.DCIPorts {
			if port.Switch == i {
				most = max(most, sw.Profile.DCIFor(&port.Attachment, b.plan.MaxFrame()).Buffer)
			}
		}
		if p := &sw.Profile.Proximal; p.Enabled && p.Threshold > most {
			b.add(b.settingPosition(sw.Name, "proximal", "threshold"),
				"proximal.threshold is %v, and %s has no more than %v of memory for a queue: allowed is less than that, "+
					"or 0B, which computes it", p.Threshold, sw.Name, most)
			return
		}
	}
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
