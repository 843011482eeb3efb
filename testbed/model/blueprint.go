package model

import (
	"fmt"
	"sort"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/wan"
)

// Fabric is the blueprints of a plan.
type Fabric struct {
	// Nodes are in the order of their numbers.
	Nodes []Blueprint
	// Algorithms are the configured algorithms that flow ends refer to.
	Algorithms []plan.Algorithm
}

// Blueprint is all that one node is made from. One of Switch, NIC, WAN and
// Ticker is set.
type Blueprint struct {
	ID     plan.NodeID
	Name   string
	Switch *switchd.Config `json:",omitempty"`
	NIC    *NIC            `json:",omitempty"`
	WAN    *wan.Config     `json:",omitempty"`
	Ticker *Ticker         `json:",omitempty"`
}

// NIC is what a NIC is made from.
type NIC struct {
	nicd.Config
	// Ends are the flow ends at this NIC, in the order of their QPs.
	Ends []End
	// Ranks are the parts of collectives that run here.
	Ranks []nicd.RankConfig `json:",omitempty"`
}

// End is one end of a flow. One of Sender and Receiver is set, without its
// Controller and Chance: the builder makes those from Algorithm, an index into
// Fabric.Algorithms, and from the run's seed and the flow's name.
type End struct {
	Algorithm int
	Sender    *nicd.SenderConfig
	Receiver  *nicd.ReceiverConfig
}

// Ports returns the links at the node's ports, in their order.
func (b *Blueprint) Ports() []fabric.Attachment {
	switch {
	case b.Switch != nil:
		return b.Switch.Ports
	case b.NIC != nil:
		return []fabric.Attachment{b.NIC.Attachment}
	case b.WAN != nil:
		return b.WAN.Ports[:]
	}
	return nil
}

// Draw makes the blueprints of p. The error names a flow whose mode means
// nothing.
func Draw(p *plan.Plan) (*Fabric, error) {
	f := &Fabric{Nodes: make([]Blueprint, 0, p.Nodes())}
	for i := range p.Switches {
		f.Nodes = append(f.Nodes, Blueprint{ID: plan.NodeID(i), Name: p.Switches[i].Name, Switch: drawSwitch(p, i)})
	}
	for i := range p.NICs {
		id := p.NICNode(i)
		f.Nodes = append(f.Nodes, Blueprint{ID: id, Name: p.NICs[i].Name, NIC: drawNIC(p, i)})
	}
	for i := range p.WANs {
		f.Nodes = append(f.Nodes, Blueprint{ID: p.WANNode(i), Name: p.WANs[i].Name, WAN: drawWAN(p, i)})
	}
	return f, f.drawFlows(p)
}

func drawSwitch(p *plan.Plan, i int) *switchd.Config {
	s := &p.Switches[i]
	c := &switchd.Config{
		ID: uint32(i), Name: s.Name, Seed: p.Seed, Profile: s.Profile, Routes: s.Routes, NextHops: s.NextHops,
		FirstIP: plan.FirstIP, MaxFrame: p.MaxFrame(), Interval: p.Record.Interval,
	}
	if s.Proximity != nil {
		c.FirstLoopback, c.Loopbacks, c.Proximity = plan.FirstLoopback, s.Proximity.Loopbacks, drawProximity(s.Proximity)
	}
	for port, link := range s.Links {
		atB := p.Links[link].B == plan.End{Node: plan.NodeID(i), Port: port}
		c.Ports = append(c.Ports, p.Attachment(link, atB))
	}
	return c
}

func drawNIC(p *plan.Plan, i int) *NIC {
	n := &p.NICs[i]
	id := p.NICNode(i)
	return &NIC{Config: nicd.Config{
		Name: n.Name, ID: uint32(id), Seed: p.Seed, Profile: n.Profile,
		Attachment: p.Attachment(n.Link, p.Links[n.Link].B.Node == id),
		IP:         n.IP, MAC: wire.NodeMAC(uint32(id), 0), Interval: p.Record.Interval,
	}}
}

func drawWAN(p *plan.Plan, i int) *wan.Config {
	w := &p.WANs[i]
	c := &wan.Config{Name: w.Name, Seed: p.Seed, Profile: w.Profile, MaxFrame: p.MaxFrame()}
	for port, link := range w.Links {
		c.Ports[port] = p.Attachment(link, p.Links[link].B == plan.End{Node: p.WANNode(i), Port: port})
	}
	return c
}

// drawFlows adds the two ends of every flow to their NICs. QPs are numbered
// at each NIC in the order of the flows.
func (f *Fabric) drawFlows(p *plan.Plan) error {
	indices := map[*plan.Algorithm]int{}
	planned, words := p.PlannedFlows(), drawWords(p)
	qps := make([]ends, len(p.Flows))
	for i := range p.Flows {
		flow := &p.Flows[i]
		algorithm, ok := indices[flow.Algorithm]
		if !ok {
			algorithm = len(f.Algorithms)
			indices[flow.Algorithm] = algorithm
			f.Algorithms = append(f.Algorithms, *flow.Algorithm)
		}
		mode, err := modeOf(flow.Mode)
		if err != nil {
			return fmt.Errorf("flow %s: %w", flow.Name, err)
		}
		src, dst := f.Nodes[p.NICNode(flow.Src)].NIC, f.Nodes[p.NICNode(flow.Dst)].NIC
		luck := chance.New(p.Seed, "flow/"+flow.Name)
		port := 0xC000 | uint16(luck.Below(0x4000))
		psn := uint32(luck.Below(1 << 24))
		group := cc.Group{Mode: mode, Ranks: flow.Ranks, Flows: planned[i]}
		from := nicd.Peer{QP: src.nextQP(), IP: src.IP, MAC: src.MAC}
		to := nicd.Peer{QP: dst.nextQP(), IP: dst.IP, MAC: dst.MAC}
		qps[i] = ends{src: from.QP, dst: to.QP}
		f.connect(p, flow.Src, switchd.Connection{SrcIP: from.IP, DstIP: to.IP, SrcQP: from.QP, DstQP: to.QP})
		src.Ends = append(src.Ends, End{Algorithm: algorithm, Sender: &nicd.SenderConfig{
			Flow: uint32(i), Name: flow.Name, QP: from.QP, Peer: to, SrcPort: port, FirstPSN: psn,
			Size: flow.Size, Message: flow.Message, MTU: p.MTU, Start: flow.Start, Stop: flow.Stop, DSCP: flow.DSCP,
			Rank: flow.Rank, Group: group, Words: wordsOf(words[flow.Dst], flow, p.Controller.Latency), Path: flow.Path, Back: flow.Back, Hops: len(flow.Path) - 1,
		}})
		dst.Ends = append(dst.Ends, End{Algorithm: algorithm, Receiver: &nicd.ReceiverConfig{
			Flow: uint32(i), Name: flow.Name, QP: to.QP, Peer: from, SrcPort: port, FirstPSN: psn,
			Size: flow.Size, Message: flow.Message, MTU: p.MTU, Start: flow.Start, Stop: flow.Stop,
			Group: group, GroupN: flow.GroupN, ControllerLatency: p.Controller.Latency, Path: flow.Path, Back: flow.Back,
		}})
	}
	return f.drawRanks(p, qps)
}

// drawWords returns, for each NIC, what the controller tells those who send to it.
func drawWords(p *plan.Plan) [][]nicd.Word {
	words := make([][]nicd.Word, len(p.NICs))
	for d, changes := range p.PlannedChanges() {
		for _, c := range changes {
			words[d] = append(words[d], nicd.Word{At: c.At.Add(p.Controller.Latency), Flows: c.Flows})
		}
	}
	return words
}

// wordsOf are those that a flow is told: of changes that its first word does not
// have, until it stops. A flow with a GroupN of its own keeps that.
func wordsOf(words []nicd.Word, f *plan.Flow, latency unit.Duration) []nicd.Word {
	if f.GroupN > 0 {
		return nil
	}
	upTo := func(t unit.Time) int {
		return sort.Search(len(words), func(k int) bool { return words[k].At > t })
	}
	from, to := upTo(f.Start.Add(plan.Together+latency)), len(words)
	if f.Stop != 0 {
		to = upTo(f.Stop)
	}
	return words[from:max(from, to)]
}

func (n *NIC) nextQP() uint32 { return nicd.FirstQP + uint32(len(n.Ends)) }

func modeOf(name string) (cc.Mode, error) {
	switch name {
	case "", "other":
		return cc.ModeOther, nil
	case "all-reduce":
		return cc.ModeAllReduce, nil
	case "all-to-all":
		return cc.ModeAllToAll, nil
	case "all-gather":
		return cc.ModeAllGather, nil
	}
	return 0, fmt.Errorf("%q is no mode: allowed are other, all-reduce, all-to-all, all-gather", name)
}
