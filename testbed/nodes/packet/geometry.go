package packet

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/internal/ring"
)

// Bounds of Geometry.Frame, in bytes. The lower one is an Ethernet header; the
// upper one keeps a frame in fewer pages than the fragments that the kernel
// sends from, and is far above any RoCE MTU.
const (
	MinFrame = 14
	maxFrame = 32 << 10
)

// A slot begins with a header, tpacket2_hdr, aligned to TPACKET_ALIGNMENT.
//
// On the send ring the frame follows at once. On the receive ring a
// sockaddr_ll lies between, then a gap of at least 16 bytes for an Ethernet
// header that ends on an aligned address, then the reserve that PACKET_RESERVE
// asks for: the network header is at align(32 + 20 + 16) + reserve, the
// Ethernet header 14 bytes before.
const (
	sendOffset    = (unix.SizeofTpacket2Hdr + unix.TPACKET_ALIGNMENT - 1) &^ (unix.TPACKET_ALIGNMENT - 1)
	receiveOffset = (sendOffset+unix.SizeofSockaddrLinklayer+16+unix.TPACKET_ALIGNMENT-1)&^(unix.TPACKET_ALIGNMENT-1) +
		tagLen - MinFrame
)

// Geometry sizes the rings of a port. The opener and the user of a socket must
// name the same.
type Geometry struct {
	// Frame is the largest frame that the port sends or receives, trailer and
	// 802.1Q tag included. Unit: bytes. Range: MinFrame to maxFrame.
	Frame int
	// Receive and Send are the slots of each ring: the frames that may wait to be read, and to be sent. At least one. A
	// ring holds at least that number; it may hold a few more, if its last block has room for them.
	Receive, Send int
}

// Bytes returns the memory of both rings: what the kernel allocates and what a
// Port maps. The memory is resident from Open until the socket is closed by
// all who hold it. It is zero for a Geometry out of range.
func (g Geometry) Bytes() int {
	if g.check() != nil {
		return 0
	}
	return g.receive().Bytes() + g.send().Bytes()
}

func (g Geometry) check() error {
	if g.Frame < MinFrame || g.Frame > maxFrame {
		return fmt.Errorf("frames of %d bytes: allowed are %d to %d", g.Frame, MinFrame, maxFrame)
	}
	if g.Receive < 1 || g.Send < 1 {
		return fmt.Errorf("rings of %d and %d slots: each needs at least one", g.Receive, g.Send)
	}
	return nil
}

func (g Geometry) receive() ring.Layout {
	return ring.Fit(ring.Align(receiveOffset+g.Frame), g.Receive)
}
func (g Geometry) send() ring.Layout { return ring.Fit(ring.Align(sendOffset+g.Frame), g.Send) }
