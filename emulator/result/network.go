package result

import (
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Network is what the nodes and the flows of a run bring back.
type Network struct {
	// Switches, NICs, long-haul paths and devices are in the plan's order, Flows
	// too.
	Switches []Switch
	NICs     []record.Port
	WANs     []WAN
	Devices  []Device
	Flows    []Flow
	// Groups are the flows of each group over time, in the order of the plan's Groups; nil where
	// flows have series of their own, or nothing is recorded.
	Groups []record.Progress
	// Phases are, for each NIC and each rank at it, when its phases ended, for
	// those that did. PhasesBy is the place of what each of them waited for last in its list, or record.FollowedAtOnce.
	Phases   [][][]unit.Time
	PhasesBy [][][]int32
	// InFlight is what was on each direction of each link at the end, by LinkID.
	InFlight []Flight
}

// Switch is what a switch brings back.
type Switch struct {
	Ports []record.Port
	// Resident is what its buffer held at End.
	Resident Volume
	// BufferMax is the high-water mark of the shared buffer.
	BufferMax unit.Bytes
	// Proximal is what proximal CNP did there, nil where it is off.
	Proximal *record.Proximal
	// Tiers are its ports over time, by where they lead to, in the order of the tiers; nil where
	// ports have series of their own, or nothing is recorded.
	Tiers []Tier
	// NoRoute is what it dropped for want of a route before each of its epochs, and since the last; nil without epochs.
	NoRoute []record.Loss `json:",omitempty"`
}

// Tier is what the ports of a switch that lead to one tier did over time.
type Tier struct {
	Tier plan.Tier
	Over record.Activity
}

// WAN is what a long-haul path brings back: its two ports, and what the
// directions held of what came in by each of them.
type WAN struct {
	Ports     []record.Port
	InTransit [2]record.InTransit
}

// Flow is what the two ends of a flow bring back.
type Flow struct {
	Sender   *record.Sender
	Receiver *record.Receiver
	// BaseRTT is the base RTT of a full-size packet; Ideal, the denominator of the
	// slowdown, is BaseRTT + wire bytes / the narrowest rate of the path, 0 for
	// a flow without a size. It holds one packet's time twice: a flow alone has
	// a slowdown just below 1. Where messages wait for others, it is the ideal of one
	// message.
	BaseRTT, Ideal unit.Duration
	// PacketBytes are those of a full-size packet on the wire, by the run's accounting.
	PacketBytes unit.Bytes
}

// Volume is a number of frames and their bytes.
type Volume struct{ Frames, Bytes uint64 }

// Flight is what was on one direction of a link at the end of a run.
type Flight struct {
	Volume
	// Pauses is what the PFC frames among them say.
	Pauses record.Pauses
}

// Add counts a frame that is under way.
func (a *Flight) Add(frame *wire.Frame) {
	a.Frames++
	a.Bytes += uint64(frame.Len())
	a.Pauses.Count(frame)
}

// portsOf returns what the ports of a node brought back.
func (n *Network) portsOf(node *plan.Node) []record.Port {
	switch node.Kind {
	case plan.KindSwitch:
		return n.Switches[node.Index].Ports
	case plan.KindNIC:
		return n.NICs[node.Index : node.Index+1]
	case plan.KindWAN:
		return n.WANs[node.Index].Ports
	}
	return n.Devices[node.Index].Ports
}

// port returns the record of the port at one end of a link, and its name.
func (o *Outcome) port(end plan.End) (*record.Port, string) {
	n := o.Plan.Node(end.Node)
	return &o.portsOf(&n)[end.Port], portName(n.Name, end.Port)
}

func portName(node string, port int) string { return node + ":" + strconv.Itoa(port) }

// portAt is the name of a port.
func portAt(planned *plan.Plan, end plan.End) string {
	return portName(planned.NodeName(end.Node), end.Port)
}
