package model

import (
	"github.com/rocelab/rocelab/edge"
	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/nicd"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
)

// addCarried adds the two ends of a flow whose packets are the requests of a connection to a real stack: its sender,
// and what the edge knows of it.
func (f *Fabric) addCarried(p *plan.Plan, number int, carrier *plan.Peer, algorithm int32, mode cc.Mode) {
	flow := &p.Flows[number]
	src := f.nic(p, flow.Src)
	f.connect(p, flow.Src, switchd.Connection{SrcIP: src.IP, DstIP: carrier.IP, SrcQP: carrier.OwnQP, DstQP: carrier.QP})
	f.flows.list[number] = connection{
		ends:      ends{src: src.Ends.add(f.flows, number, true)},
		algorithm: algorithm,
		mode:      mode,
	}
	src.Peers[carrier.OwnQP-peer.FirstQP].Carries = f.flows.list[number].src
	end := f.Nodes[p.StationNode(flow.Dst)].Design.(*Edge)
	end.Carried = append(end.Carried, int(algorithm))
	end.Model.Carried = append(end.Model.Carried, edge.Carried{
		Flow:        uint32(number),
		SenderIP:    src.IP,
		SenderMAC:   src.MAC,
		SenderQP:    carrier.OwnQP,
		ReceiverIP:  carrier.IP,
		ReceiverMAC: carrier.MAC,
		ReceiverQP:  carrier.QP,
		FirstPSN:    carrier.Verbs.FirstPSN,
		MTU:         carrier.Verbs.MTU,
		Notifies:    carrier.Notifies,
		SrcPort:     carrier.SrcPort,
		DSCP:        src.Profile.CNPDSCP,
	})
}

// carried returns the sending end of such a flow.
func (f *flows) carried(i uint32, carrier *plan.Peer) End {
	p, one, flow := f.plan, &f.list[i], &f.plan.Flows[i]
	c := &nicd.SenderConfig{
		Flow:         i,
		Name:         flow.Name,
		QP:           one.src,
		Peer:         nicd.Peer{QP: carrier.QP, IP: carrier.IP, MAC: carrier.MAC},
		SrcPort:      carrier.SrcPort,
		FirstPSN:     carrier.Verbs.FirstPSN,
		Size:         flow.Size,
		MTU:          unit.Bytes(carrier.Verbs.MTU),
		Start:        flow.Start,
		DSCP:         flow.DSCP,
		Group:        f.group(i),
		GroupUpdates: updatesOf(f.updates[flow.Dst], flow, p.Controller.Latency),
		Path:         flow.Path,
		Back:         flow.Back,
		Hops:         len(flow.Path) - 1,
	}
	f.overTime(c)
	return End{Algorithm: int(one.algorithm), Sender: c}
}

// knownCarried is such a flow as edges know it, all but its own.
func knownCarried(p *plan.Plan, number int, carrier *plan.Peer) edge.Flow {
	return edge.Flow{
		Number:     uint32(number),
		SenderIP:   p.NICs[carrier.NIC].IP,
		SenderQP:   carrier.OwnQP,
		ReceiverIP: carrier.IP,
		ReceiverQP: carrier.QP,
	}
}
