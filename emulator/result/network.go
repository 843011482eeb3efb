package result

import (
	"strconv"

	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Network is the record of the nodes and the flows of a run.
type Network struct {
	// Switches, NICs, long-haul paths and devices are in the plan's order, Flows
	// too.
	Switches []Switch
	NICs     []record.Port
	// NICFaults count, for each NIC, what met each of the plan's Faults.
	NICFaults [][]fault.Met
	// Peers are the frames of connections to real stacks.
	Peers   []PeerFrames
	WANs    []WAN
	Devices []Device
	Flows   []Flow
	// Groups are the flows of each group over time, in the order of the plan's Groups; nil where
	// flows have series of their own, or nothing is recorded.
	Groups []record.Progress
	// Phases are, for each NIC and each rank at it, the ends of its finished phases. PhasesBy is, for each of them, the
	// place in its list of the dependency that happened last, or record.FollowedAtOnce.
	Phases   [][][]unit.Time
	PhasesBy [][][]int32
	// InFlight is the content of each direction of each link at the end, by LinkID.
	InFlight []Flight
}

// Switch is the record of a switch.
type Switch struct {
	Ports []record.Port
	// Resident is the content of its buffer at End.
	Resident Volume
	// BufferMax is the high-water mark of the shared buffer.
	BufferMax unit.Bytes
	// Proximal is the record of proximal CNP there, nil if it is off.
	Proximal *record.Proximal
	// Tiers are the series of its ports, grouped by tier, in the order of the tiers; nil if ports have series of their
	// own, or nothing is recorded.
	Tiers []Tier
	// NoRoute are its drops for want of a route before each of its epochs, and since the last; nil without epochs.
	NoRoute []record.Loss `json:",omitempty"`
	// Faults count what met each of the plan's Faults.
	Faults []fault.Met `json:",omitempty"`
}

// Tier is the activity over time of a switch's ports that lead to one tier.
type Tier struct {
	Tier plan.Tier
	Over record.Activity
}

// WAN is the record of a long-haul path: its two ports, and, for each of them, the frames in transit in the direction
// that it feeds.
type WAN struct {
	Ports     []record.Port
	InTransit [2]record.InTransit
}

// Flow is the record of a flow's two ends.
type Flow struct {
	Sender   *record.Sender
	Receiver *record.Receiver
	// BaseRTT is the base RTT of a full-size packet; Ideal, the denominator of the slowdown, is BaseRTT + wire bytes /
	// the narrowest rate of the path, 0 for a flow without a size. It holds one packet's time twice: a single flow has
	// a slowdown just below 1. If messages wait for others, it is the ideal of one message.
	BaseRTT, Ideal unit.Duration
	// PacketBytes is the length of a full-size packet on the wire, by the run's accounting.
	PacketBytes unit.Bytes
}

// Volume is a number of frames and their bytes.
type Volume struct{ Frames, Bytes uint64 }

// Flight is the content of one direction of a link at the end of a run.
type Flight struct {
	Volume
	// Pauses counts the PFC frames among them.
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

// PeerFrames are the frames that one connection to a real stack sent and took at a NIC of the plan, without those that
// the NIC refused.
type PeerFrames struct {
	NIC            int
	Sent, Received uint64
}
