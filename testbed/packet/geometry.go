package packet

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Bounds of Geometry.Frame, in bytes. The lower one is an Ethernet header; the
// upper one keeps a frame in fewer pages than the fragments that the kernel
// sends from, and is far above any RoCE MTU.
const (
	MinFrame = 14
	MaxFrame = 32 << 10
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

// largestBlock bounds the contiguous memory that is asked of the kernel at a
// time. Larger blocks waste less at their ends but are harder to find.
const largestBlock = 64 << 10

// Geometry sizes the rings of a port. The opener and the user of a socket must
// name the same.
type Geometry struct {
	// Frame is the largest frame that the port sends or receives, trailer and
	// 802.1Q tag included. Unit: bytes. Range: MinFrame to MaxFrame.
	Frame int
	// Receive and Send are the slots of each ring: the frames that may wait to
	// be read, and to be sent. At least one. A ring holds at least so many; it
	// may hold a few more, where its last block has room for them.
	Receive, Send int
}

// Bytes returns the memory of both rings: what the kernel allocates and what a
// Port maps. The memory is resident from Open until the socket is closed by
// all who hold it. It is zero for a Geometry out of range.
func (g Geometry) Bytes() int {
	if g.check() != nil {
		return 0
	}
	return g.receive().bytes() + g.send().bytes()
}

func (g Geometry) check() error {
	if g.Frame < MinFrame || g.Frame > MaxFrame {
		return fmt.Errorf("frames of %d bytes: allowed are %d to %d", g.Frame, MinFrame, MaxFrame)
	}
	if g.Receive < 1 || g.Send < 1 {
		return fmt.Errorf("rings of %d and %d slots: each needs at least one", g.Receive, g.Send)
	}
	return nil
}

func (g Geometry) receive() layout { return fit(align(receiveOffset+g.Frame), g.Receive) }
func (g Geometry) send() layout    { return fit(align(sendOffset+g.Frame), g.Send) }

// layout is how a ring lies in memory: blocks of equal size, each with
// perBlock slots from its beginning on. No slot crosses blocks, so the end of a
// block may be unused.
type layout struct {
	slot, perBlock int
	block, blocks  int
}

// fit returns the layout of least memory for that many slots. Blocks are
// powers of two pages: the kernel allocates nothing else.
func fit(slot, slots int) layout {
	var best layout
	for block := os.Getpagesize(); block <= largestBlock || best.blocks == 0; block *= 2 {
		per := block / slot
		if per == 0 {
			continue
		}
		l := layout{slot: slot, perBlock: per, block: block, blocks: (slots + per - 1) / per}
		if best.blocks == 0 || l.bytes() < best.bytes() {
			best = l
		}
	}
	return best
}

func (l layout) bytes() int { return l.block * l.blocks }
func (l layout) slots() int { return l.perBlock * l.blocks }

func (l layout) request() *unix.TpacketReq {
	return &unix.TpacketReq{
		Block_size: uint32(l.block), Block_nr: uint32(l.blocks),
		Frame_size: uint32(l.slot), Frame_nr: uint32(l.slots()),
	}
}

func align(n int) int {
	return (n + unix.TPACKET_ALIGNMENT - 1) &^ (unix.TPACKET_ALIGNMENT - 1)
}
