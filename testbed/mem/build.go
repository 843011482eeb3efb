package mem

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/switchd"
)

// models are the nodes of a plan, built.
type models struct {
	plan     *plan.Plan
	switches []*switchd.Switch
	nics     []*nicd.NIC
	// ends names the QPs of each flow, in the plan's order.
	ends []ends
}

type ends struct {
	sender, receiver uint32
	facts            cc.Facts // as the sender's algorithm was told
}

// build makes the models of p. Algorithms finds an algorithm by name.
func build(p *plan.Plan, algorithms func(string) (cc.Algorithm, bool)) (*models, error) {
	m := &models{plan: p}
	if err := m.buildSwitches(); err != nil {
		return nil, err
	}
	for i := range p.NICs {
		n := &p.NICs[i]
		m.nics = append(m.nics, nicd.New(nicd.Config{
			Name: n.Name, ID: uint32(p.NICNode(i)), Seed: p.Seed, Profile: n.Profile,
			Attachment: p.Attachment(n.Link, p.Links[n.Link].B.Node == p.NICNode(i)),
			IP:         n.IP, MAC: wire.NodeMAC(uint32(p.NICNode(i)), 0), Interval: p.Record.Interval,
		}))
	}
	return m, m.connect(algorithms)
}

func (m *models) buildSwitches() error {
	p := m.plan
	for i := range p.Switches {
		s := &p.Switches[i]
		c := switchd.Config{
			ID: uint32(i), Name: s.Name, Seed: p.Seed, Profile: s.Profile, Routes: s.Routes, NextHops: s.NextHops,
			FirstIP: plan.FirstIP, MaxFrame: p.MaxFrame(), Interval: p.Record.Interval,
		}
		for port, link := range s.Links {
			atB := p.Links[link].B == plan.End{Node: plan.NodeID(i), Port: port}
			c.Ports = append(c.Ports, p.Attachment(link, atB))
		}
		model, err := switchd.New(c)
		if err != nil {
			return fmt.Errorf("switch %s: %w", s.Name, err)
		}
		m.switches = append(m.switches, model)
	}
	return nil
}

// connect sets up the two ends of every flow. QPs are numbered at each NIC in
// the order of the flows.
func (m *models) connect(algorithms func(string) (cc.Algorithm, bool)) error {
	p := m.plan
	used := make([]uint32, len(p.NICs))
	next := func(nic int) uint32 {
		used[nic]++
		return nicd.FirstQP + used[nic] - 1
	}
	controllers := map[*plan.Algorithm]cc.Controller{}
	planned := p.PlannedFlows()
	for i := range p.Flows {
		f := &p.Flows[i]
		controller, ok := controllers[f.Algorithm]
		if !ok {
			var err error
			if controller, err = configure(f.Algorithm, algorithms); err != nil {
				return err
			}
			controllers[f.Algorithm] = controller
		}
		mode, err := modeOf(f.Mode)
		if err != nil {
			return fmt.Errorf("flow %s: %w", f.Name, err)
		}
		src, dst := &p.NICs[f.Src], &p.NICs[f.Dst]
		e := ends{sender: next(f.Src), receiver: next(f.Dst)}
		flow := chance.New(p.Seed, "flow/"+f.Name)
		port := 0xC000 | uint16(flow.Below(0x4000))
		psn := uint32(flow.Below(1 << 24))
		group := cc.Group{Mode: mode, Ranks: f.Ranks, Flows: planned[i]}
		sender := nicd.SenderConfig{
			Flow: uint32(i), Name: f.Name, QP: e.sender,
			Peer:    nicd.Peer{QP: e.receiver, IP: dst.IP, MAC: wire.NodeMAC(uint32(p.NICNode(f.Dst)), 0)},
			SrcPort: port, FirstPSN: psn, Size: f.Size, Message: f.Message, MTU: p.MTU, Start: f.Start, Stop: f.Stop, DSCP: f.DSCP,
			Controller: controller, Group: group, Chance: chance.New(p.Seed, "sender/"+f.Name),
			Path: f.Path, Back: f.Back, Hops: len(f.Path) - 1,
		}
		if err := m.nics[f.Src].AddSender(sender); err != nil {
			return fmt.Errorf("flow %s at %s: %w", f.Name, src.Name, err)
		}
		e.facts = nicd.Facts(sender, f.Path[0].Rate, p.Accounting)
		m.ends = append(m.ends, e)
		err = m.nics[f.Dst].AddReceiver(nicd.ReceiverConfig{
			Flow: uint32(i), Name: f.Name, QP: e.receiver,
			Peer:    nicd.Peer{QP: e.sender, IP: src.IP, MAC: wire.NodeMAC(uint32(p.NICNode(f.Src)), 0)},
			SrcPort: port, FirstPSN: psn, Size: f.Size, MTU: p.MTU, Start: f.Start, Stop: f.Stop,
			Controller: controller, Group: group, GroupN: f.GroupN, ControllerLatency: p.Controller.Latency,
			Chance: chance.New(p.Seed, "receiver/"+f.Name), Path: f.Path, Back: f.Back,
		})
		if err != nil {
			return fmt.Errorf("flow %s at %s: %w", f.Name, dst.Name, err)
		}
	}
	return nil
}

func configure(a *plan.Algorithm, algorithms func(string) (cc.Algorithm, bool)) (cc.Controller, error) {
	algorithm, ok := algorithms(a.Name)
	if !ok {
		return nil, fmt.Errorf("there is no algorithm %q", a.Name)
	}
	params, err := cc.ParseParams(algorithm.Describe(), a.Params)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", a.Name, err)
	}
	controller, err := algorithm.New(params)
	if err != nil {
		return nil, fmt.Errorf("algorithm %s: %w", a.Name, err)
	}
	return controller, nil
}

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

// nodes returns the models as the engine numbers them: switches, then NICs.
func (m *models) nodes() []fabric.Node {
	nodes := make([]fabric.Node, 0, len(m.switches)+len(m.nics))
	for _, s := range m.switches {
		nodes = append(nodes, s)
	}
	for _, n := range m.nics {
		nodes = append(nodes, n)
	}
	return nodes
}

// targets returns the receiving end of each link direction.
func targets(p *plan.Plan) []fabric.Target {
	t := make([]fabric.Target, 0, 2*len(p.Links))
	for i := range p.Links {
		l := &p.Links[i]
		t = append(t, fabric.Target{Node: int(l.B.Node), Port: l.B.Port}, fabric.Target{Node: int(l.A.Node), Port: l.A.Port})
	}
	return t
}

// placement tells the engine what belongs together: a NIC beside its switch.
// A NIC's port is taken to cost twice a switch's, an estimate: it makes and ends the
// frames.
func placement(p *plan.Plan) (neighbour, weight []int) {
	for i := range p.Switches {
		neighbour = append(neighbour, -1)
		weight = append(weight, len(p.Switches[i].Links))
	}
	for i := range p.NICs {
		l := &p.Links[p.NICs[i].Link]
		peer := l.A.Node
		if peer == p.NICNode(i) {
			peer = l.B.Node
		}
		if int(peer) >= len(p.Switches) {
			peer = -1
		}
		neighbour = append(neighbour, int(peer))
		weight = append(weight, 2)
	}
	return neighbour, weight
}

// bytesOf is the payload of all flows that have a size.
func bytesOf(p *plan.Plan) (total unit.Bytes) {
	for i := range p.Flows {
		total += p.Flows[i].Size
	}
	return total
}
