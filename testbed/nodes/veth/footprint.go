package veth

import (
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// nodeMemory is the memory of a container, or a daemon if there are more of these, beside the rings: the daemon, its
// models and the kernel's part for its namespaces.
const nodeMemory = 8 * unit.MB

// Footprint estimates what a testbed of p, and a run on it, take of the host: the
// rings of both ends of every link and of the devices of edges, the containers with their daemons, and the
// sockets that the run opens for all ports at once.
func Footprint(p *plan.Plan, d Daemons) doctor.Footprint {
	const (
		own  = 64 // what the program itself has open
		each = 4  // connection, namespace, log and a handle of its process
	)
	n := runFootprint(p)
	n.Nodes = daemonCount(p, d)
	n.Memory += unit.Bytes(n.Nodes) * nodeMemory
	n.Descriptors += own + each*n.Nodes
	return n
}

// daemonCount is the number of containers, or of daemons if there are more.
func daemonCount(p *plan.Plan, d Daemons) int {
	if d == PerNode {
		return p.Nodes()
	}
	servers := map[string]bool{}
	for i := range p.NICs {
		servers[serverOf(&p.NICs[i])] = true
	}
	containers := p.Nodes() - len(p.NICs) + len(servers)
	if d == Pool {
		containers++ // its own
	}
	return containers
}

// longestWindow returns the longest window of a run: the lookahead, but no longer than the fastest link takes for
// windowFrames of the shortest frames. The cuts between windows never show in a result, and rings for the windows of a
// fabric with long links only would not fit into memory.
func longestWindow(p *plan.Plan) unit.Duration {
	window := p.Lookahead()
	for i := range p.Links {
		a := p.Attachment(i, false)
		shortest := a.Accounting.ShortestFrame()
		window = min(window, a.Tx.Rate.SerialTime(windowFrames*shortest), a.Rx.Rate.SerialTime(windowFrames*shortest))
	}
	return window
}

// windowFrames is the maximum number of shortest frames that a link carries in a window: 6.7 us at 100 Gb/s.
const windowFrames = 1000

// ofEdge is the number of descriptors of an edge: the device's socket, the lock of its interface, its journal.
const ofEdge = 3

// runFootprint returns the further use of a run on a testbed that is up: the rings of links, and the rings of the
// edges' devices.
func runFootprint(p *plan.Plan) doctor.Footprint {
	lookahead := longestWindow(p)
	rings := 0
	for i := range p.Links {
		for _, atB := range []bool{false, true} {
			a := p.Attachment(i, atB)
			g := packet.Geometry{Frame: largestFrame(vethMTU(p)), Receive: daemon.Slots(&a, lookahead), Send: sendSlots}
			rings += g.Bytes()
		}
	}
	edges := p.Edges()
	for _, i := range edges {
		rings += device.Default(int(p.EdgeAt(i).MTU)).Bytes()
	}
	return doctor.Footprint{Memory: unit.Bytes(rings), Descriptors: 2*len(p.Links) + ofEdge*len(edges)}
}
