// Package ring is the memory that a packet socket shares with the kernel
// (TPACKET_V2): how its slots lie in blocks, and the walk over them. What a port does
// with the slots is the matter of its users, testbed/nodes/packet and testbed/nodes/live/device.
//
// Source: the kernel's Documentation/networking/packet_mmap.rst.
package ring

import (
	"os"

	"golang.org/x/sys/unix"
)

// largestBlock bounds the contiguous memory that is asked of the kernel at a
// time. Larger blocks waste less at their ends but are harder to find.
const largestBlock = 64 << 10

// Layout is the arrangement of a ring in memory: blocks of equal size, each with PerBlock slots from its beginning on.
// Slots do not cross blocks, so the end of a block may be unused. Unit of Slot and Block: bytes.
type Layout struct {
	Slot, PerBlock int
	Block, Blocks  int
}

// Fit returns the layout of least memory for that many slots. Blocks are
// powers of two pages: the kernel allocates nothing else.
func Fit(slot, slots int) Layout {
	var best Layout
	for block := os.Getpagesize(); block <= largestBlock || best.Blocks == 0; block *= 2 {
		per := block / slot
		if per == 0 {
			continue
		}
		l := Layout{
			Slot:     slot,
			PerBlock: per,
			Block:    block,
			Blocks:   (slots + per - 1) / per,
		}
		if best.Blocks == 0 || l.Bytes() < best.Bytes() {
			best = l
		}
	}
	return best
}

// Bytes returns the memory of the ring.
func (l Layout) Bytes() int { return l.Block * l.Blocks }

// Slots returns how many slots the ring has, at least as many as Fit was asked for.
func (l Layout) Slots() int { return l.PerBlock * l.Blocks }

// Request is the layout as PACKET_RX_RING and PACKET_TX_RING take it.
func (l Layout) Request() *unix.TpacketReq {
	return &unix.TpacketReq{
		Block_size: uint32(l.Block), Block_nr: uint32(l.Blocks),
		Frame_size: uint32(l.Slot), Frame_nr: uint32(l.Slots()),
	}
}

// Align rounds n up to what slots and the headers in them are aligned to.
func Align(n int) int {
	return (n + unix.TPACKET_ALIGNMENT - 1) &^ (unix.TPACKET_ALIGNMENT - 1)
}
