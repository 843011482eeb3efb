package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/device"
	"github.com/rocelab/rocelab/testbed/nodes/lockstep"
	"github.com/rocelab/rocelab/testbed/nodes/packet"
)

// Protocol is the version of Order and Result.
const Protocol = 9

// Order is one participant's part of a run. The page, the sockets of Ports, in their order, and for each of Edges the
// socket of its device, the file with the device's drops (packet.OpenDrops) and, if it has one, its journal come as
// files with it.
type Order struct {
	Protocol int
	Setup    lockstep.Setup
	// Index is the participant's place in the run.
	Index int
	// Nodes are the nodes that it hosts, Algorithms the algorithms of their flows.
	Nodes      []model.Blueprint
	Algorithms []plan.Algorithm
	// Programs gives the program of each algorithm that runs as a process, by
	// name; the others are built in.
	Programs map[string]string
	// Limits are the limits of programs.
	Limits process.Limits
	// PluginStart is the time limit for such a program to start; 0 for the usual.
	PluginStart time.Duration
	Ports       []Port
	// Edges are the edges among Nodes.
	Edges []Edge
	// Realtime asks for the thread of the windows: the first answer then has Result.Thread, and a wait of that thread
	// does not give its processor up. It goes with a clock.
	Realtime bool
}

// Edge is where a hosted edge ends outside.
type Edge struct {
	// Node indexes Order.Nodes.
	Node int
	// Geometry sizes the ring of its device.
	Geometry device.Geometry
	// Dropped is its device's count of drops before the socket was open.
	Dropped packet.Drops
	// Journal, if not nil, is the header of its journal, which takes JournalLimit bytes; 0
	// for no limit.
	Journal      *journal.Header
	JournalLimit int64
}

// files returns how many files come with the order.
func (o *Order) files() int {
	n := 1 + len(o.Ports)
	for i := range o.Edges {
		n += 2
		if o.Edges[i].Journal != nil {
			n++
		}
	}
	return n
}

// Port is one port of a hosted node.
type Port struct {
	// Node indexes Order.Nodes; Number is the port's at its node.
	Node, Number int
	// Link names the link, for messages; Peer is the participant that hosts
	// its far end.
	Link string
	Peer int
	// Geometry sizes the socket's rings.
	Geometry packet.Geometry
}

// Result is a participant's answer.
type Result struct {
	// Thread, if not 0, is the thread of this process that will run the windows, as its own namespace
	// counts; another answer follows.
	Thread int

	// Err describes the failure, "" for none; Plugin is set if it was the fault of an algorithm, Aborted if it was the
	// fault of another participant or of the testbed.
	Err             string
	Plugin, Aborted bool

	Reports []model.Report
	// Samples are in the order of time. Between two of them the queues are as they were at the first one.
	Samples []blockedSample
	// Ports are in the order of Order.Ports.
	Ports []portCount
	// Edges are in the order of Order.Edges.
	Edges []EdgeCount
	Hops  uint64
	// Used is the time on cores of the thread that ran the windows, in a run that is held to the clock.
	Used result.Scheduling
}

// EdgeCount has the counts between an edge and its device.
type EdgeCount struct {
	// Timing is without names.
	Timing result.EdgeTiming
	// ClockSteps counts how often the host's CLOCK_REALTIME was set.
	ClockSteps uint64
	// Absences is the number of times that the interface was not up, and Absent the total duration; Gone is set if it
	// is gone for good.
	Absences uint64
	Absent   time.Duration
	Gone     bool
	// JournalError is the reason why the journal could not be written, "" for none.
	JournalError string
}

// blockedSample has the queues that the participant's nodes held back at one instant, a multiple of the setup's
// SamplePeriod or the end of the run.
type blockedSample struct {
	At    unit.Time
	Nodes []blockedNode
}

// blockedNode has the queues that one of them held back.
type blockedNode struct {
	Node   plan.NodeID
	Queues []switchd.Blocked
}

// portCount counts frames from outside the run.
type portCount struct {
	// Foreign frames came from elsewhere; Dropped were lost by the ring. Refused is the number of times that the far
	// end had no room for a frame, which was sent again: the kernel counts that as a drop at both ends. Unclaimed
	// frames came, and the kernel may count them as dropped too: see packet.Unclaimed.
	Foreign, Dropped, Refused, Unclaimed uint64
}

// decodeOrder reads an order that came with the given number of files, and refuses one that this daemon does not
// understand.
func decodeOrder(message []byte, files int) (*Order, error) {
	o := new(Order)
	if err := json.Unmarshal(message, o); err != nil {
		return nil, err
	}
	if err := o.check(files); err != nil {
		return nil, err
	}
	return o, nil
}

// check refuses an order that this daemon does not understand.
func (o *Order) check(files int) error {
	switch {
	case o.Protocol != Protocol:
		return fmt.Errorf("the testbed speaks protocol %d, this daemon %d: build both again", o.Protocol, Protocol)
	case files != o.files():
		return fmt.Errorf("%d files came with an order of %d ports and %d edges: want the page, a socket for each, and the "+
			"drops and journals of edges, which are %d", files, len(o.Ports), len(o.Edges), o.files())
	}
	if err := o.Setup.Check(); err != nil {
		return err
	}
	if o.Realtime && o.Setup.Clock == nil {
		return errors.New("an order in real time without a clock to hold it to")
	}
	if o.Index < 0 || o.Index >= o.Setup.Participants {
		return fmt.Errorf("it is for participant %d of %d", o.Index, o.Setup.Participants)
	}
	for i := range o.Nodes {
		if err := o.checkNode(&o.Nodes[i]); err != nil {
			return err
		}
	}
	for i := range o.Ports {
		p := &o.Ports[i]
		if p.Node < 0 || p.Node >= len(o.Nodes) || p.Number < 0 || p.Number >= len(o.Nodes[p.Node].Ports()) {
			return fmt.Errorf("port %d of the order belongs to no node", i)
		}
		if p.Peer < 0 || p.Peer >= o.Setup.Participants {
			return fmt.Errorf("port %d of the order leads to participant %d of %d", i, p.Peer, o.Setup.Participants)
		}
	}
	return o.checkEdges()
}

// checkEdges refuses edges that are none, and those without a clock.
func (o *Order) checkEdges() error {
	seen := make([]bool, len(o.Nodes))
	for i := range o.Edges {
		n := o.Edges[i].Node
		if n < 0 || n >= len(o.Nodes) || o.Nodes[n].Kind != plan.KindEdge || seen[n] {
			return fmt.Errorf("edge %d of the order belongs to no node", i)
		}
		seen[n] = true
	}
	if len(o.Edges) > 0 && (o.Setup.Clock == nil || o.Setup.Looks == nil || !o.Setup.Looks[o.Index]) {
		return fmt.Errorf("an order of %d edges without a clock to hold them to", len(o.Edges))
	}
	return nil
}

// checkNode refuses a node without a model, and one that refers to something outside the order.
func (o *Order) checkNode(b *model.Blueprint) error {
	if b.Design == nil {
		return fmt.Errorf("node %q has no model", b.Name)
	}
	for _, algorithm := range b.Algorithms() {
		if algorithm < 0 || algorithm >= len(o.Algorithms) {
			return fmt.Errorf("node %q runs algorithm %d of %d", b.Name, algorithm, len(o.Algorithms))
		}
	}
	for _, a := range b.Ports() {
		if a.Link < 0 || int(a.Link) >= o.Setup.Links || int(a.Link^1) >= o.Setup.Links {
			return fmt.Errorf("node %q sends on direction %d of %d", b.Name, a.Link, o.Setup.Links)
		}
		if a.Tx.Rate <= 0 || a.Rx.Rate <= 0 {
			return fmt.Errorf("node %q has a port of %v and %v: allowed are above 0", b.Name, a.Tx.Rate, a.Rx.Rate)
		}
		if err := errors.Join(fabric.CheckSlow(a.Tx.Rate, a.TxSlow), fabric.CheckSlow(a.Rx.Rate, a.RxSlow)); err != nil {
			return fmt.Errorf("node %q: %w", b.Name, err)
		}
	}
	return nil
}

// usedAlgorithms returns the names of the algorithms that flow ends at the hosted nodes
// run, in the order of Algorithms.
func (o *Order) usedAlgorithms() (names []string) {
	used := make([]bool, len(o.Algorithms))
	for i := range o.Nodes {
		for _, algorithm := range o.Nodes[i].Algorithms() {
			used[algorithm] = true
		}
	}
	for i := range used {
		if used[i] {
			names = append(names, o.Algorithms[i].Name)
		}
	}
	return names
}

// attachment returns what the node at the port knows of its link.
func (o *Order) attachment(p *Port) *fabric.Attachment { return &o.Nodes[p.Node].Ports()[p.Number] }
