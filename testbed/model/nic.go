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
	Ends []End
	// Ranks are the parts of collectives that run here.
	Ranks []nicd.RankConfig `json:",omitempty"`
	// Peers are connections to real stacks.
	Peers []nicd.PeerConfig `json:",omitempty"`
}

// End is one end of a flow. One of Sender and Receiver is set, without its
// Controller and Chance: the builder makes those from Algorithm, an index into
// Fabric.Algorithms, and from the run's seed and the flow's name.
type End struct {
	Algorithm int
	Sender    *nicd.SenderConfig
	Receiver  *nicd.ReceiverConfig
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
	for i := range n.Ends {
		list = append(list, n.Ends[i].Algorithm)
	}
	return list
}

func (n *NIC) nextQP() uint32 { return nicd.FirstQP + uint32(len(n.Ends)) }

// sender is the sending end behind a QP.
func (n *NIC) sender(qp uint32) *nicd.SenderConfig { return n.Ends[qp-nicd.FirstQP].Sender }

// Build makes the NIC, its flow ends and its ranks. It takes Ends: there may be a million, and what a NIC needs of
// them it has itself.
func (n *NIC) Build(b *Builder) (Model, error) {
	config := n.Config
	config.Ends = len(n.Ends)
	m := &nicModel{NIC: nicd.New(config), design: n, ends: make([]builtEnd, len(n.Ends))}
	for i := range n.Ends {
		err := m.addEnd(b, i)
		if nonsense := new(nicd.AlgorithmError); errors.As(err, &nonsense) {
			err = &AlgorithmError{err}
		}
		if err != nil {
			return nil, err
		}
		n.Ends[i] = End{}
	}
	n.Ends = nil
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

// nicModel is a NIC as runners see it.
type nicModel struct {
	*nicd.NIC
	design *NIC
	// ends are in the order of their QPs.
	ends []builtEnd
}

// builtEnd is the part of a flow's end that a report needs beside its record. All but flow are for a sender.
type builtEnd struct {
	flow           uint32
	series         uint32
	sends, sized   bool
	baseRTT, ideal unit.Duration
	packetBytes    unit.Bytes
}

func (m *nicModel) Machine() fabric.Node { return m.NIC }

func (m *nicModel) addEnd(b *Builder, i int) error {
	end := &m.design.Ends[i]
	controller, err := b.controller(end.Algorithm)
	if err != nil {
		return err
	}
	seed := m.design.Seed
	if c := end.Receiver; c != nil {
		c.Controller, c.Chance = controller, chance.New(seed, "receiver/"+c.Name)
		if err := m.AddReceiver(*c); err != nil {
			return fmt.Errorf("flow %s at %s: %w", c.Name, m.design.Name, err)
		}
		m.ends[i] = builtEnd{flow: c.Flow}
		return nil
	}
	c := end.Sender
	c.Controller, c.Chance = controller, chance.New(seed, "sender/"+c.Name)
	about := &b.descriptions[end.Algorithm]
	c.Values, c.Uncontrolled = about.Values, about.Uncontrolled
	if err := m.AddSender(*c); err != nil {
		return fmt.Errorf("flow %s at %s: %w", c.Name, m.design.Name, err)
	}
	a := &m.design.Attachment
	m.ends[i] = builtSender(c, nicd.Facts(*c, a.Tx.Rate, a.Accounting))
	return nil
}

func builtSender(c *nicd.SenderConfig, facts cc.Facts) builtEnd {
	end := builtEnd{
		flow:        c.Flow,
		series:      uint32(c.Series),
		sends:       true,
		sized:       c.Size > 0,
		baseRTT:     facts.BaseRTT,
		packetBytes: facts.PacketBytes,
	}
	if end.sized {
		size := c.Size
		if c.Messages != nil {
			size = c.Message // each completes by itself
		}
		end.ideal = ideal(size, c.MTU, facts.PacketBytes, facts.BaseRTT, c.Path.Narrowest())
	}
	return end
}

// qpOf is the QP of end i.
func qpOf(i int) uint32 { return nicd.FirstQP + uint32(i) }

// Acked is the payload that the flows with a size that begin here have had
// acknowledged so far.
func (m *nicModel) Acked() (sum unit.Bytes) {
	for i := range m.ends {
		if m.ends[i].sized {
			sum += nicd.Acked(m.NIC, qpOf(i))
		}
	}
	return sum
}

func (m *nicModel) Record(end unit.Time) Record {
	r := &NICRecord{Port: m.PortRecord(end), Faults: m.FaultsMet()}
	if len(m.ends) > 0 {
		r.Ends = make([]EndRecord, len(m.ends))
	}
	for i := range m.ends {
		r.Ends[i] = m.endRecord(i, end)
		m.addProgress(r, i, end)
	}
	for i := range m.design.Peers {
		r.Peers = append(r.Peers, PeerRow{Name: m.design.Peers[i].Name, PeerRecord: *nicd.RecordOfPeer(m.NIC, i)})
	}
	for i := range m.design.Ranks {
		phases := m.Phases(i)
		r.Phases, r.PhasesBy = append(r.Phases, phases.Ended), append(r.PhasesBy, phases.By)
	}
	return r
}

// addProgress adds what flow end i did over time: to its own record, or once for its group.
func (m *nicModel) addProgress(r *NICRecord, i int, end unit.Time) {
	if !m.ends[i].sends || !m.design.Recording.Grid.On() {
		return
	}
	series := int(m.ends[i].series)
	if !m.design.Recording.Together {
		r.Ends[i].Sender.Over = m.Progress(series, end)
		return
	}
	for g := range r.Groups {
		if r.Groups[g].Group == series {
			return
		}
	}
	r.Groups = append(r.Groups, GroupRecord{series, *m.Progress(series, end)})
}

func (m *nicModel) endRecord(i int, at unit.Time) EndRecord {
	end := &m.ends[i]
	if !end.sends {
		return EndRecord{Flow: end.flow, Receiver: m.ReceiverRecord(qpOf(i))}
	}
	sender := m.SenderRecord(qpOf(i))
	sender.SenderOver = m.SenderOver(qpOf(i), at)
	return EndRecord{
		Flow:        end.flow,
		Sender:      sender,
		BaseRTT:     end.baseRTT,
		PacketBytes: end.packetBytes,
		Ideal:       end.ideal,
	}
}

// NICRecord is the record of a NIC.
type NICRecord struct {
	Port record.Port
	Ends []EndRecord
	// Phases are the ends of the phases of each rank at the NIC, PhasesBy the dependency of each that happened last.
	Phases   [][]unit.Time
	PhasesBy [][]int32
	// Groups are the totals of the flows that begin here, by group, if flows have no series of their own.
	Groups []GroupRecord
	// Peers are what connections to real stacks did.
	Peers []PeerRow
	// Faults count what met each of the plan's Faults.
	Faults []fault.Met
}

// GroupRecord has the progress of the flows of a group over time. Group is its place in the plan's Groups.
type GroupRecord struct {
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
