package scenario

import "fmt"

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
