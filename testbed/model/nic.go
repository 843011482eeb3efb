package model

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func init() {
	Register(Kind{
		Name:      plan.KindNIC,
		Title:     "NIC",
		Design:    designNIC,
		NewDesign: func() Design { return new(NIC) },
		Record:    new(NICRecord),
		Sheet:     peerSheet,
	})
}

// NIC is the design of a NIC.
type NIC struct {
	nicd.Config
	// Ends are the flow ends at this NIC, in the order of their QPs.
	Ends Ends
	// Ranks are the parts of collectives that run here.
	Ranks []nicd.RankConfig `json:",omitempty"`
	// Peers are connections to real stacks.
	Peers []nicd.PeerConfig `json:",omitempty"`
}

func designNIC(p *plan.Plan, node *plan.Node) (Design, error) {
	n := &p.NICs[node.Index]
	return &NIC{Config: nicd.Config{
		Name:       n.Name,
		ID:         uint32(node.ID),
		Seed:       p.Seed,
		Profile:    n.Profile,
		Attachment: p.AttachmentAt(node, 0),
		IP:         n.IP,
		MAC:        wire.NodeMAC(uint32(node.ID), 0),
		Faults:     n.Faults,
	}, Peers: peersOf(p, node.Index)}, nil
}

// Ports returns the link at the NIC's only port.
func (n *NIC) Ports() []fabric.Attachment { return []fabric.Attachment{n.Attachment} }

// Algorithms returns the indices of the flow ends' algorithms.
func (n *NIC) Algorithms() (list []int) {
	for i := range n.Ends.Len() {
		list = append(list, n.Ends.algorithm(i))
	}
	return list
}

// Build makes the NIC, its flow ends and its ranks.
func (n *NIC) Build(b *Builder) (Model, error) {
	m := &nicModel{design: n, builder: b}
	config := n.Config
	config.Ends, config.Source = n.Ends.Len(), m
	m.NIC = nicd.New(config)
	for i := range n.Ends.Len() {
		err := m.addEnd(i)
		if nonsense := new(nicd.AlgorithmError); errors.As(err, &nonsense) {
			err = &AlgorithmError{err}
		}
		if err != nil {
			return nil, err
		}
	}
	for _, rank := range n.Ranks {
		if err := m.AddRank(rank); err != nil {
			return nil, err
		}
	}
	for _, config := range n.Peers {
		if err := nicd.AddPeer(m.NIC, config); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// nicModel is a NIC as runners see it, and the source of its ends of flows.
type nicModel struct {
	*nicd.NIC
	design  *NIC
	builder *Builder
}

func (m *nicModel) Machine() fabric.Node { return m.NIC }

// Sender and Receiver return the configuration of an end with its controller.
func (m *nicModel) Sender(qp uint32) *nicd.SenderConfig {
	end := m.design.Ends.At(int(qp - nicd.FirstQP))
	c, about := end.Sender, &m.builder.descriptions[end.Algorithm]
	c.Controller = m.builder.controllers[end.Algorithm]
	c.Values, c.Uncontrolled = about.Values, about.Uncontrolled
	return c
}

func (m *nicModel) Receiver(qp uint32) *nicd.ReceiverConfig {
	end := m.design.Ends.At(int(qp - nicd.FirstQP))
	end.Receiver.Controller = m.builder.controllers[end.Algorithm]
	return end.Receiver
}

func (m *nicModel) addEnd(i int) error {
	if _, err := m.builder.controller(m.design.Ends.algorithm(i)); err != nil {
		return err
	}
	seed := m.design.Seed
	if m.design.Ends.sends(i) {
		c := m.Sender(qpOf(i))
		c.Chance = chance.New(seed, "sender/"+c.Name)
		if err := m.AddSender(*c); err != nil {
			return fmt.Errorf("flow %s at %s: %w", c.Name, m.design.Name, err)
		}
		return nil
	}
	c := m.Receiver(qpOf(i))
	c.Chance = chance.New(seed, "receiver/"+c.Name)
	if err := m.AddReceiver(*c); err != nil {
		return fmt.Errorf("flow %s at %s: %w", c.Name, m.design.Name, err)
	}
	return nil
}

// qpOf is the QP of end i.
func qpOf(i int) uint32 { return nicd.FirstQP + uint32(i) }

// Acked is the payload that the flows with a size that begin here have had
// acknowledged so far.
func (m *nicModel) Acked() (sum unit.Bytes) {
	ends := &m.design.Ends
	for i := range ends.Len() {
		if ends.sends(i) && ends.sized(i) {
			sum += nicd.Acked(m.NIC, qpOf(i))
		}
	}
	return sum
}

func (m *nicModel) Record(end unit.Time) Record {
	r := &NICRecord{Port: m.PortRecord(end), Faults: m.FaultsMet()}
	if n := m.design.Ends.Len(); n > 0 {
		r.Ends = make([]EndRecord, n)
	}
	for i := range r.Ends {
		r.Ends[i] = m.endRecord(r, i, end)
	}
	for i := range m.design.Peers {
		r.Peers = append(r.Peers, peerRow{Name: m.design.Peers[i].Name, PeerRecord: *nicd.RecordOfPeer(m.NIC, i)})
	}
	for i := range m.design.Ranks {
		phases := m.Phases(i)
		r.Phases, r.PhasesBy = append(r.Phases, phases.Ended), append(r.PhasesBy, phases.By)
	}
	return r
}

// addProgress adds what a flow that begins here did over time: to its own record, or once for its group.
func (m *nicModel) addProgress(r *NICRecord, sender *record.Sender, series int, end unit.Time) {
	if !m.design.Recording.Grid.On() {
		return
	}
	if !m.design.Recording.Together {
		sender.Over = m.Progress(series, end)
		return
	}
	for g := range r.Groups {
		if r.Groups[g].Group == series {
			return
		}
	}
	r.Groups = append(r.Groups, groupRecord{series, *m.Progress(series, end)})
}

func (m *nicModel) endRecord(r *NICRecord, i int, at unit.Time) EndRecord {
	ends, qp := &m.design.Ends, qpOf(i)
	if !ends.sends(i) {
		return EndRecord{Flow: ends.flow(i), Receiver: m.ReceiverRecord(qp)}
	}
	sender, c := m.SenderRecord(qp), m.Sender(qp)
	sender.SenderOver = m.SenderOver(qp, at)
	m.addProgress(r, sender, c.Series, at)
	facts := nicd.Facts(*c, m.design.Attachment.Tx.Rate, m.design.Attachment.Accounting)
	return EndRecord{
		Flow:        c.Flow,
		Sender:      sender,
		BaseRTT:     facts.BaseRTT,
		PacketBytes: facts.PacketBytes,
		Ideal:       idealOf(c, &facts),
	}
}

// idealOf is the ideal of a flow with a size, or of its messages, each by itself; 0 for others.
func idealOf(c *nicd.SenderConfig, facts *cc.Facts) unit.Duration {
	switch {
	case c.Size == 0:
		return 0
	case c.Messages != nil:
		return ideal(c.Message, c.MTU, facts.PacketBytes, facts.BaseRTT, c.Path.Narrowest())
	}
	return ideal(c.Size, c.MTU, facts.PacketBytes, facts.BaseRTT, c.Path.Narrowest())
}

// NICRecord is the record of a NIC.
type NICRecord struct {
	Port record.Port
	Ends []EndRecord
	// Phases are the ends of the phases of each rank at the NIC, PhasesBy the dependency of each that happened last.
	Phases   [][]unit.Time
	PhasesBy [][]int32
	// Groups are the totals of the flows that begin here, by group, if flows have no series of their own.
	Groups []groupRecord
	// Peers are what connections to real stacks did.
	Peers []peerRow
	// Faults count what met each of the plan's Faults.
	Faults []fault.Met
}

// groupRecord has the progress of the flows of a group over time. Group is its place in the plan's Groups.
type groupRecord struct {
	Group int
	Over  record.Progress
}

// EndRecord is the record of one end of a flow. One of Sender and Receiver is set.
type EndRecord struct {
	Flow     uint32
	Sender   *record.Sender
	Receiver *record.Receiver
	// BaseRTT, Ideal and PacketBytes are as in result.Flow, for a sender.
	BaseRTT, Ideal unit.Duration
	PacketBytes    unit.Bytes
}

// AddTo puts it into the outcome.
func (r *NICRecord) AddTo(o *result.Outcome) {
	o.NICs, o.NICFaults = append(o.NICs, r.Port), append(o.NICFaults, r.Faults)
	o.Phases, o.PhasesBy = append(o.Phases, r.Phases), append(o.PhasesBy, r.PhasesBy)
	for i := range r.Peers {
		p := &r.Peers[i]
		o.AddRow(&peerSheet, p.Name, p.cells())
		o.Peers = append(o.Peers, result.PeerFrames{
			NIC:      len(o.NICs) - 1,
			Sent:     p.Sent + p.SentCNPs,
			Received: p.Received - p.RefusedFrames,
		})
	}
	for i := range r.Groups {
		for len(o.Groups) <= r.Groups[i].Group {
			o.Groups = append(o.Groups, record.Progress{})
		}
		o.Groups[r.Groups[i].Group].Plus(&r.Groups[i].Over)
	}
	for _, e := range r.Ends {
		f := &o.Flows[e.Flow]
		if e.Sender != nil {
			f.Sender, f.BaseRTT, f.Ideal, f.PacketBytes = e.Sender, e.BaseRTT, e.Ideal, e.PacketBytes
		} else {
			f.Receiver = e.Receiver
		}
	}
}

// ideal returns the usual denominator of a slowdown, base RTT + wire bytes / rate (public RDMA simulator, alibaba-edu
// HPCC ns-3). It holds the last packet's time on the wire twice, so that a single flow has a slowdown just below 1: by
// a packet in all its packets.
func ideal(size, mtu, packet unit.Bytes, baseRTT unit.Duration, rate unit.BitRate) unit.Duration {
	packets := (size + mtu - 1) / mtu
	return baseRTT + rate.SerialTime(size+packets*(packet-mtu))
}
