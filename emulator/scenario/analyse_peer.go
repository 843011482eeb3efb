package scenario

import (
	"fmt"
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

// Commands are the lines to type at the stack's machine: device is its network interface, rdma its RDMA device. The
// last is for rocelab-peer.
func (r *PeerReport) Commands(device, rdma string) string {
	return fmt.Sprintf(`# peer %[1]s, for the NIC of %[2]s; in the scenario: mac: %[3]s
ip link set %[4]s address %[3]s mtu %[5]d up
ip address replace %[6]v/8 dev %[4]s
ip neighbour replace %[7]v lladdr %[8]s dev %[4]s nud permanent
rocelab-peer -d %[9]s -g 1 -m %[10]d -p %[11]d
connect %[7]v %[12]d %[13]d %[14]d %[15]d %[16]d %[10]d
`, r.Name, r.Host, r.FarMAC, device, max(1500, r.MTU+peerHeaders), r.Far, r.Address, r.MAC, rdma, r.MTU, r.FarPSN, r.QP,
		r.PSN, r.RKey, r.VA, r.Length)
}
