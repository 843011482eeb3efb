package nicd

import "github.com/rocelab/rocelab/emulator/wire"

// maxOutstanding is half the PSN space: a requester never has more
// outstanding, so that PSNs can be told apart (IBA volume 1, 9.7.1).
const maxOutstanding = 1 << 23

// psnOf returns the PSN of packet i of a flow whose packet 0 has PSN first.
// Inside the NIC packets are numbered from 0 by 64-bit numbers that do not
// wrap.
func psnOf(first uint32, i int64) uint32 { return (first + uint32(i)) & wire.PSNMask }

// packetOf returns the packet with the given PSN that is nearest to packet
// near.
func packetOf(first, psn uint32, near int64) int64 {
	return near + int64(wire.DiffPSN(psn, psnOf(first, near)))
}
