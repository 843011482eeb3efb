package packet

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// OpenTap is Open for an observer: the port receives also what this host sends on
// the interface, and Outgoing reports which. It should send nothing.
func OpenTap(ifname string, g Geometry) (fd int, err error) {
	if fd, err = Open(ifname, g); err != nil {
		return -1, err
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 0); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("receive frames sent on %s: %w", ifname, err)
	}
	return fd, nil
}

// Outgoing reports whether this host sent the frame that Next returned. It must
// be asked before Release.
func (p *Port) Outgoing() bool {
	const packetType = 10 // of sll_pkttype in sockaddr_ll, which follows the slot's header
	return p.receive.Mem[p.receive.At+sendOffset+packetType] == unix.PACKET_OUTGOING
}
