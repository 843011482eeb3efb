package model

import (
	"fmt"
	"slices"
	"sort"

	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// addFlows adds the two ends of every flow to their NICs. QPs are numbered
// at each NIC in the order of the flows.
func (f *Fabric) addFlows(p *plan.Plan) error {
	indices := map[*plan.Algorithm]int{}
	planned, updates := p.PlannedFlows(), groupUpdates(p)
	qps := make([]ends, len(p.Flows))
	edges, known := p.Edges(), []edge.Flow(nil)
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
		if flow.Carrier != nil {
			carrier := &p.Peers[*flow.Carrier]
			f.addCarried(p, i, carrier, algorithm, cc.Group{Mode: mode, Ranks: flow.Ranks, Flows: planned[i]}, updates)
			known = append(known, knownCarried(p, i, carrier))
			continue
		}
		src, dst := f.nic(p, flow.Src), f.nic(p, flow.Dst)
		rng := chance.New(p.Seed, "flow/"+flow.Name)
		port, err := sourcePort(p, flow, rng)
		if err != nil {
			return err
		}
		psn := uint32(rng.Below(1 << 24))
		group := cc.Group{Mode: mode, Ranks: flow.Ranks, Flows: planned[i]}
		from := nicd.Peer{QP: src.nextQP(), IP: src.IP, MAC: src.MAC}
		to := nicd.Peer{QP: dst.nextQP(), IP: dst.IP, MAC: dst.MAC}
		qps[i] = ends{src: from.QP, dst: to.QP}
		if len(edges) > 0 {
			known = append(known, edge.Flow{
				Number:     uint32(i),
				SenderIP:   from.IP,
				SenderQP:   from.QP,
				ReceiverIP: to.IP,
				ReceiverQP: to.QP,
			})
		}
		f.connect(p, flow.Src, switchd.Connection{SrcIP: from.IP, DstIP: to.IP, SrcQP: from.QP, DstQP: to.QP})
		src.Ends = append(src.Ends, End{Algorithm: algorithm, Sender: &nicd.SenderConfig{
			Flow:         uint32(i),
			Name:         flow.Name,
			QP:           from.QP,
			Peer:         to,
			SrcPort:      port,
			FirstPSN:     psn,
			Size:         flow.Size,
			Message:      flow.Message,
			MTU:          p.MTU,
			Start:        flow.Start,
			Stop:         flow.Stop,
			DSCP:         flow.DSCP,
			Rank:         flow.Rank,
			Group:        group,
			GroupUpdates: updatesOf(updates[flow.Dst], flow, p.Controller.Latency),
			Path:         flow.Path,
			Back:         flow.Back,
			Hops:         len(flow.Path) - 1,
		}})
		dst.Ends = append(dst.Ends, End{Algorithm: algorithm, Receiver: &nicd.ReceiverConfig{
			Flow:              uint32(i),
			Name:              flow.Name,
			QP:                to.QP,
			Peer:              from,
			SrcPort:           port,
			FirstPSN:          psn,
			Size:              flow.Size,
			Message:           flow.Message,
			MTU:               p.MTU,
			Start:             flow.Start,
			Stop:              flow.Stop,
			Group:             group,
			GroupN:            flow.GroupN,
			ControllerLatency: p.Controller.Latency,
			Path:              flow.Path,
			Back:              flow.Back,
		}})
	}
	for _, i := range edges {
		own := p.EdgeAt(i).IP
		f.Nodes[p.DeviceNode(i)].Design.(*Edge).Model.Flows = slices.DeleteFunc(slices.Clone(known),
			func(flow edge.Flow) bool { return flow.ReceiverIP == own })
	}
	return f.addRanks(p, qps)
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
