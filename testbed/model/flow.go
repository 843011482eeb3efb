package model

import (
	"fmt"
	"slices"
	"sort"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// flows has what the ends of a plan's flows are made from, beside the plan: a run may have a million.
type flows struct {
	plan *plan.Plan
	list []connection
	// planned is the number of flows that the controller announces first, by flow; updates are its messages to the
	// senders to each NIC.
	planned []int
	updates [][]nicd.GroupUpdate
	// messages are the dependencies of a flow's messages, outages the outages on the way of each flow, nil without any,
	// and series the number of each sender's series, nil if they are not recorded.
	messages map[uint32][][]nicd.Await
	outages  [][]result.FlowOutage
	series   []int
}

// connection has the random values of a flow, and its QPs.
type connection struct {
	ends
	algorithm int32 // index into Fabric.Algorithms
	psn       uint32
	port      uint16
	mode      cc.Mode
}

// addFlows adds the two ends of every flow to their NICs. QPs are numbered
// at each NIC in the order of the flows.
func (f *Fabric) addFlows(p *plan.Plan) error {
	indices := map[*plan.Algorithm]int32{}
	all := &flows{
		plan:     p,
		list:     make([]connection, len(p.Flows)),
		planned:  p.PlannedFlows(),
		updates:  groupUpdates(p),
		messages: map[uint32][][]nicd.Await{},
	}
	f.flows = all
	edges, known := p.Edges(), []edge.Flow(nil)
	for i := range p.Flows {
		flow := &p.Flows[i]
		algorithm, ok := indices[flow.Algorithm]
		if !ok {
			algorithm = int32(len(f.Algorithms))
			indices[flow.Algorithm] = algorithm
			f.Algorithms = append(f.Algorithms, *flow.Algorithm)
		}
		mode, err := modeOf(flow.Mode)
		if err != nil {
			return fmt.Errorf("flow %s: %w", flow.Name, err)
		}
		if flow.Carrier != nil {
			carrier := &p.Peers[*flow.Carrier]
			f.addCarried(p, i, carrier, algorithm, mode)
			known = append(known, knownCarried(p, i, carrier))
			continue
		}
		src, dst := f.nic(p, flow.Src), f.nic(p, flow.Dst)
		rng := chance.New(p.Seed, "flow/"+flow.Name)
		port, err := sourcePort(p, flow, rng)
		if err != nil {
			return err
		}
		one := connection{
			ends:      ends{src: src.Ends.add(all, i, true)},
			algorithm: algorithm,
			psn:       uint32(rng.Below(1 << 24)),
			port:      port,
			mode:      mode,
		}
		one.dst = dst.Ends.add(all, i, false)
		all.list[i] = one
		if len(edges) > 0 {
			known = append(known, edge.Flow{
				Number:     uint32(i),
				SenderIP:   src.IP,
				SenderQP:   one.src,
				ReceiverIP: dst.IP,
				ReceiverQP: one.dst,
			})
		}
		f.connect(p, flow.Src, switchd.Connection{SrcIP: src.IP, DstIP: dst.IP, SrcQP: one.src, DstQP: one.dst})
	}
	for _, i := range edges {
		own := p.EdgeAt(i).IP
		f.Nodes[p.DeviceNode(i)].Design.(*Edge).Model.Flows = slices.DeleteFunc(slices.Clone(known),
			func(flow edge.Flow) bool { return flow.ReceiverIP == own })
	}
	return f.addRanks(p, all.list)
}

// sender returns the sending end of a flow.
func (f *flows) sender(i uint32) End {
	p, one, flow := f.plan, &f.list[i], &f.plan.Flows[i]
	far, mtu := f.farEnd(i)
	c := &nicd.SenderConfig{
		Flow:         i,
		Name:         flow.Name,
		QP:           one.src,
		Peer:         far,
		SrcPort:      one.port,
		FirstPSN:     one.psn,
		Size:         flow.Size,
		Message:      flow.Message,
		Messages:     f.messages[i],
		MTU:          mtu,
		Start:        flow.Start,
		Stop:         flow.Stop,
		DSCP:         flow.DSCP,
		Rank:         flow.Rank,
		Group:        f.group(i),
		GroupUpdates: updatesOf(f.updates[flow.Dst], flow, p.Controller.Latency),
		Path:         flow.Path,
		Back:         flow.Back,
		Hops:         len(flow.Path) - 1,
	}
	f.overTime(c)
	return End{Algorithm: int(one.algorithm), Sender: c}
}

// overTime gives a sending end its series and its outages.
func (f *flows) overTime(c *nicd.SenderConfig) {
	if f.series != nil {
		c.Series = f.series[c.Flow]
	}
	if f.outages != nil {
		for _, o := range f.outages[c.Flow] {
			c.Outages = append(c.Outages, fabric.Outage{From: o.From, To: o.Whole})
		}
	}
}

// receiver returns the receiving end of a flow.
func (f *flows) receiver(i uint32) End {
	p, one, flow := f.plan, &f.list[i], &f.plan.Flows[i]
	c := &nicd.ReceiverConfig{
		Flow:              i,
		Name:              flow.Name,
		QP:                one.dst,
		Peer:              f.peer(flow.Src, one.src),
		SrcPort:           one.port,
		FirstPSN:          one.psn,
		Size:              flow.Size,
		Message:           flow.Message,
		MTU:               p.MTU,
		Start:             flow.Start,
		Stop:              flow.Stop,
		Group:             f.group(i),
		GroupN:            flow.GroupN,
		ControllerLatency: p.Controller.Latency,
		Path:              flow.Path,
		Back:              flow.Back,
	}
	if f.outages != nil {
		for _, o := range f.outages[i] {
			c.Outages = append(c.Outages, fabric.Outage{From: o.From, To: o.To})
		}
	}
	return End{Algorithm: int(one.algorithm), Receiver: c}
}

func (f *flows) group(i uint32) cc.Group {
	return cc.Group{Mode: f.list[i].mode, Ranks: f.plan.Flows[i].Ranks, Flows: f.planned[i]}
}

// peer is the end at a QP of a NIC, as the other end knows it.
func (f *flows) peer(nic int, qp uint32) nicd.Peer {
	return nicd.Peer{QP: qp, IP: f.plan.NICs[nic].IP, MAC: wire.NodeMAC(uint32(f.plan.NICNode(nic)), 0)}
}

// groupUpdates returns, for each station, the controller's messages to the senders to it.
func groupUpdates(p *plan.Plan) [][]nicd.GroupUpdate {
	updates := make([][]nicd.GroupUpdate, p.Stations())
	for d, changes := range p.PlannedChanges() {
		for _, c := range changes {
			updates[d] = append(updates[d], nicd.GroupUpdate{At: c.At.Add(p.Controller.Latency), Flows: c.Flows})
		}
	}
	return updates
}

// updatesOf returns the updates that a flow receives: for changes after its start, until it stops. A flow with its own
// GroupN keeps that.
func updatesOf(updates []nicd.GroupUpdate, f *plan.Flow, latency unit.Duration) []nicd.GroupUpdate {
	if f.GroupN > 0 {
		return nil
	}
	upTo := func(t unit.Time) int {
		return sort.Search(len(updates), func(k int) bool { return updates[k].At > t })
	}
	from, to := upTo(f.Start.Add(plan.MergeSpan+latency)), len(updates)
	if f.Stop != 0 {
		to = upTo(f.Stop)
	}
	return updates[from:max(from, to)]
}

// nic returns the design of a NIC.
func (f *Fabric) nic(p *plan.Plan, i int) *NIC { return f.Nodes[p.NICNode(i)].Design.(*NIC) }

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
	return 0, fmt.Errorf("%q is not a mode: allowed are other, all-reduce, all-to-all, all-gather", name)
}
