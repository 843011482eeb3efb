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
		psn:       carrier.Verbs.FirstPSN,
		port:      carrier.SrcPort,
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

// farEnd is the receiving end of a flow, as the sender knows it, and the payload of a full packet on the way there.
func (f *flows) farEnd(i uint32) (end nicd.Peer, mtu unit.Bytes) {
	flow := &f.plan.Flows[i]
	if flow.Carrier == nil {
		return f.peer(flow.Dst, f.list[i].dst), f.plan.MTU
	}
	carrier := &f.plan.Peers[*flow.Carrier]
	return nicd.Peer{QP: carrier.QP, IP: carrier.IP, MAC: carrier.MAC}, unit.Bytes(carrier.Verbs.MTU)
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
