package model

import (
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func init() {
	Register(Kind{
		Name:      plan.KindEdge,
		Title:     "edge",
		Design:    designEdge,
		NewDesign: func() Design { return new(Edge) },
		Record:    new(edgeRecord),
		Sheet:     edgeSheet,
	})
}

// Edge is the design of an edge: the model, and the plan's description of its outside.
type Edge struct {
	Model edge.Config
	Plan  plan.Edge
	// Carried are the algorithms of the model's Carried flows, as indices into Fabric.Algorithms.
	Carried []int `json:",omitempty"`
}

func designEdge(p *plan.Plan, n *plan.Node) (Design, error) {
	planned := p.EdgeAt(n.Index)
	if planned == nil || len(n.Links) != 1 {
		return nil, fmt.Errorf("%d links and %T: an edge has one link and its own settings", len(n.Links),
			p.Devices[n.Index].Config)
	}
	return &Edge{
		Model: edge.Config{
			Name:       n.Name,
			Seed:       p.Seed,
			Attachment: p.AttachmentAt(n, 0),
			Queue:      planned.Queue,
			PFCHere:    planned.PFCHere,
			DropCNPs:   planned.DropCNPs,
			ClassOf:    classesBeyond(p, n),
		},
		Plan: *planned,
	}, nil
}

// classesBeyond returns the classes of the node that hears what an edge sends, for its
// pauses name them.
func classesBeyond(p *plan.Plan, n *plan.Node) [64]uint8 {
	peer := p.Node(p.Peer(n.Links[0], plan.End{Node: n.ID}).Node)
	switch peer.Kind {
	case plan.KindSwitch:
		return p.Switches[peer.Index].Profile.ClassOf
	case plan.KindNIC:
		return p.NICs[peer.Index].Profile.ClassOf
	}
	return [64]uint8{}
}

// Ports returns the link.
func (e *Edge) Ports() []fabric.Attachment { return []fabric.Attachment{e.Model.Attachment} }

// Algorithms returns the indices of the algorithms of flows that end behind the edge.
func (e *Edge) Algorithms() []int { return e.Carried }

// Build makes the edge. It is the notification point of a flow if the flow's algorithm asks for CNPs.
func (e *Edge) Build(b *Builder) (Model, error) {
	for i, algorithm := range e.Carried {
		controller, err := b.controller(algorithm)
		if err != nil {
			return nil, err
		}
		flow, signals := &e.Model.Carried[i], controller.Signals()
		flow.Notifies, flow.Interval = flow.Notifies && signals.CNP, signals.CNPInterval
	}
	m, err := edge.New(e.Model)
	if err != nil {
		return nil, fmt.Errorf("edge %s: %w", e.Model.Name, err)
	}
	return EdgeModel{m}, nil
}

// EdgeModel is an edge as runners see it. They give it what comes in.
type EdgeModel struct{ *edge.Edge }

// Machine returns the edge itself.
func (m EdgeModel) Machine() fabric.Node { return m.Edge }

// Fault returns nil: no algorithm runs at an edge.
func (m EdgeModel) Fault() error { return nil }

// Acked returns 0: no flow begins at an edge.
func (m EdgeModel) Acked() unit.Bytes { return 0 }

// Record returns what the edge brings back.
func (m EdgeModel) Record(end unit.Time) Record { return &edgeRecord{m.Counters(end)} }

// edgeRecord is the record of an edge.
type edgeRecord struct{ edge.Counters }

// AddTo puts it into the outcome.
func (r *edgeRecord) AddTo(o *result.Outcome) {
	for flow, receiver := range r.Carried {
		o.Flows[flow].Receiver = receiver
	}
	o.Devices = append(o.Devices, result.Device{
		Ports:    []record.Port{r.Port},
		Foreign:  &r.Foreign,
		Resident: result.Volume{Frames: r.WaitingFrames, Bytes: r.WaitingBytes},
	})
}

// Check reports whether r cannot come from an edge.
func (r *edgeRecord) Check(p *plan.Plan, d Design) error {
	design, ok := d.(*Edge)
	if !ok {
		return fmt.Errorf("a record of an edge for a %T", d)
	}
	if len(r.Carried) != len(design.Model.Carried) {
		return fmt.Errorf("%d flows that end behind it, which differ from the edge's", len(r.Carried))
	}
	for i := range design.Model.Carried {
		flow := design.Model.Carried[i].Flow
		if receiver := r.Carried[flow]; receiver == nil || receiver.ReceiverExtra == nil {
			return fmt.Errorf("without the receiver of flow %d", flow)
		}
	}
	for _, posing := range r.Foreign.Posing {
		if uint64(posing.Flow) >= uint64(len(p.Flows)) {
			return fmt.Errorf("frames that pose as frames of flow %d of %d", posing.Flow, len(p.Flows))
		}
	}
	return checkPort(&r.Port)
}

// edgeSheet is the sheet of the edges.
var edgeSheet = result.KindSheet{
	File: "edges.csv",
	Doc: "One row per edge. A replay of a live run has the same. Bytes are without FCS, preamble and gap, times are " +
		"model time.",
	Columns: []result.KindColumn{
		{Name: "in_frames", Doc: "Frames that came in from outside."},
		{Name: "in_bytes", Doc: "Their bytes."},
		{Name: "in_data_frames", Doc: "RoCEv2 requests and read responses among them."},
		{Name: "in_ack_frames", Doc: "ACKs and NAKs among them."},
		{Name: "in_cnp_frames", Doc: "CNPs among them."},
		{Name: "in_pfc_frames", Doc: "PFC frames among them."},
		{Name: "in_notification_frames", Doc: "Messages of proximal CNP among them."},
		{Name: "in_other_frames", Doc: "All others, RoCEv2 with a wrong ICRC among them."},
		{Name: "posing_cnp_frames", Doc: "CNPs that went on with the address of a flow's receiver, which the flow's sender " +
			"cannot tell from its receiver's."},
		{Name: "made_cnp_frames", Doc: "CNPs that the edge made in its host's name, for peers with an algorithm."},
		{Name: "made_dropped_frames", Doc: "Those of them that found the NIC queue full."},
		{Name: "out_frames", Doc: "Frames that the link brought, for outside."},
		{Name: "out_bytes", Doc: "Their bytes."},
		{Name: "dropped_frames", Doc: "Frames from outside that found the NIC queue full."},
		{Name: "acl_frames", Doc: "CNPs from outside that cnp: drop ended here."},
		{Name: "dropped_bytes", Doc: "Bytes of both."},
		{Name: "waiting_frames", Doc: "Frames that were in the NIC queue at the end."},
		{Name: "queue_max_bytes", Doc: "Longest NIC queue. A long one shows that the host is faster than its link."},
		{Name: "wait_p50_us", Doc: "Wait of a frame in the NIC queue, pauses apart: half waited no longer."},
		{Name: "wait_p99_us", Doc: "99 % waited no longer."},
		{Name: "wait_max_us", Doc: "The longest wait."},
		{Name: "moved_frames", Doc: "Frames from outside that started later than they would have, had each been read in " +
			"time."},
		{Name: "moved_max_us", Doc: "By how much at most."},
	},
}

// Row returns the cells of the edge's row.
func (r *edgeRecord) Row() []string {
	count := func(n uint64) string { return strconv.FormatUint(n, 10) }
	span := func(d unit.Duration) string { return strconv.FormatFloat(d.Microseconds(), 'f', 3, 64) }
	p := &r.Port
	made := &r.Foreign
	row := []string{count(p.SourcedFrames - made.MadeCNPs), count(p.SourcedBytes - made.MadeBytes)}
	for _, n := range r.Foreign.Kinds {
		row = append(row, count(n))
	}
	posing := uint64(0)
	for _, flow := range r.Foreign.Posing {
		posing += flow.CNPs
	}
	return append(row,
		count(posing), count(made.MadeCNPs), count(made.DroppedCNPs),
		count(p.SunkFrames), count(p.SunkBytes), count(p.Drops[fabric.DropNICQueue]-made.DroppedCNPs),
		count(p.Drops[fabric.DropACL]), count(p.DropBytes-made.DroppedBytes),
		count(r.WaitingFrames), count(uint64(r.QueueMax)),
		span(r.Wait.Quantile(0.5)), span(r.Wait.Quantile(0.99)), span(r.Wait.Max()),
		count(r.Moved), span(r.MovedMax))
}
