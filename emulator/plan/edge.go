package plan

import (
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// KindEdge is the kind of an edge: a Device with one link whose Config is an Edge.
// Frames of devices and hosts that are not part of the plan come in and go out there.
const KindEdge Kind = "edge"

// tagged is the length that Ethernet adds to a payload: its header of 14 B and two tags of 4 B.
const tagged unit.Bytes = 22

// Edge is an edge in a plan.
type Edge struct {
	// Interface is the host's interface at the end of the link; "" at a host with its own stack, whose interface the
	// testbed makes. Namespace is the path of the network namespace that holds it, "" for the run's own.
	Interface string
	Namespace string
	// MTU is the largest payload of Ethernet: the largest frame has MTU + 22 bytes, including 8 for two tags.
	MTU unit.Bytes
	// Queue is the volume that may wait for the link, like the queue of a host's NIC; the rest is dropped.
	Queue unit.Bytes
	// PFCHere has the edge obey pauses in place of a host that cannot.
	PFCHere bool
	// DropCNPs has the edge drop the CNPs that come in.
	DropCNPs bool `json:",omitempty"`
	// Force takes an interface that is in use all the same.
	Force bool
	// IP is its address in the fabric, after the NICs' addresses: see StationIP.
	IP uint32
	// Host is set for a host with its own stack: container and interface are made by the testbed. MAC is the address of
	// its interface, Exec the command that it runs, "" for none.
	Host bool
	MAC  [6]byte
	Exec string
}

// MaxFrame is the largest frame that the edge lets through, in bytes without FCS.
func (e *Edge) MaxFrame() unit.Bytes { return e.MTU + tagged }

// Edges returns the places of the edges in Devices, in their order.
func (p *Plan) Edges() (places []int) {
	for i := range p.Devices {
		if p.Devices[i].Kind == KindEdge {
			places = append(places, i)
		}
	}
	return places
}

// EdgeAt returns a copy of the edge at a place in Devices, nil for another device.
func (p *Plan) EdgeAt(device int) *Edge {
	if edge, ok := p.Devices[device].Config.(Edge); ok && p.Devices[device].Kind == KindEdge {
		return &edge
	}
	return nil
}

// Stations returns the number of addresses of the fabric: NICs first, then edges.
func (p *Plan) Stations() int { return len(p.NICs) + len(p.Edges()) }

// StationIP returns the address of a station: FirstIP and on.
func StationIP(station int) uint32 { return FirstIP + uint32(station) }

// StationName returns the name of a station.
func (p *Plan) StationName(station int) string {
	if nics := len(p.NICs); station >= nics {
		return p.Devices[p.Edges()[station-nics]].Name
	}
	return p.NICs[station].Name
}

// StationNode returns the node of a station.
func (p *Plan) StationNode(station int) NodeID {
	if nics := len(p.NICs); station >= nics {
		return p.DeviceNode(p.Edges()[station-nics])
	}
	return p.NICNode(station)
}

// edgeWindow returns the longest window that edges allow: half the least latency of
// their links. A frame that was read in time is then early enough for the window that
// comes, even if one is just under way.
func (p *Plan) edgeWindow() unit.Duration {
	least := unit.Duration(unit.Never)
	for _, i := range p.Edges() {
		for _, link := range p.Devices[i].Links {
			l := &p.Links[link]
			least = min(least, l.Forward.Latency/2, l.Backward.Latency/2)
		}
	}
	return least
}

// Peer is a reliable connection between a NIC of the plan and a real stack behind an edge.
type Peer struct {
	// Name is unique in the scenario.
	Name string
	// NIC is our end, Edge the place of the edge among Edges().
	NIC, Edge int
	// IP, MAC and QP are the far end's.
	IP  uint32
	MAC wire.MAC
	QP  uint32
	// OwnQP is ours, SrcPort the UDP source port of what we send, DSCP its code point, -1 for that of the NIC's data.
	OwnQP   uint32
	SrcPort uint16
	DSCP    int
	// Verbs are memory, receives and work.
	Verbs peer.Config
	// Notifies is set if the edge answers marked packets of the flow that the connection carries with CNPs, in the
	// stack's name, if the flow's algorithm asks for them.
	Notifies bool `json:",omitempty"`
}
