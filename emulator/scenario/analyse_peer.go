package scenario

import (
	"net/netip"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/wire"
)

// PeerReport has the numbers that a real stack must know of its connection to a NIC of ours.
type PeerReport struct {
	Name string `json:"name"`
	Edge string `json:"edge"`
	Host string `json:"host"`
	// Address, MAC and QP are our end's.
	Address netip.Addr `json:"ip"`
	MAC     string     `json:"mac"`
	QP      uint32     `json:"qp"`
	// PSN is that of our first request, RKey, VA and Length are our memory.
	PSN    uint32 `json:"psn"`
	RKey   uint32 `json:"rkey"`
	VA     uint64 `json:"va"`
	Length uint64 `json:"length"`
	// MTU is the path MTU in bytes, the smaller of both.
	MTU int `json:"mtu"`
	// Far is the stack's own address in the fabric and its MAC, FarQP its QP, FarPSN its first PSN.
	Far    netip.Addr `json:"peer_ip"`
	FarMAC string     `json:"peer_mac"`
	FarQP  uint32     `json:"peer_qp"`
	FarPSN uint32     `json:"peer_psn"`
}

func peerReports(planned *plan.Plan) (list []PeerReport) {
	for i := range planned.Peers {
		p := &planned.Peers[i]
		nic := &planned.NICs[p.NIC]
		list = append(list, PeerReport{
			Name:    p.Name,
			Edge:    planned.Devices[planned.Edges()[p.Edge]].Name,
			Host:    nic.Name,
			Address: address(nic.IP),
			MAC:     wire.NodeMAC(uint32(planned.NICNode(p.NIC)), 0).String(),
			QP:      p.OwnQP,
			PSN:     p.Verbs.FirstPSN,
			RKey:    p.Verbs.Memory.RKey,
			VA:      p.Verbs.Memory.VA,
			Length:  p.Verbs.Memory.Length,
			MTU:     p.Verbs.MTU,
			Far:     address(p.IP),
			FarMAC:  p.MAC.String(),
			FarQP:   p.QP,
			FarPSN:  p.Verbs.PeerPSN,
		})
	}
	return list
}
