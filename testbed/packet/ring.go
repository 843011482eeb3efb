package packet

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// ring is a walk over the slots of a layout, in the order in which the kernel
// walks them.
type ring struct {
	layout
	mem []byte
	// at is where the current slot begins in mem; left counts the slots of
	// its block from it on.
	at, left int
}

func newRing(l layout, mem []byte) ring { return ring{layout: l, mem: mem, left: l.perBlock} }

// header returns the header of the current slot. Its status says whose the
// slot is and is only read and written atomically; the rest belongs to the
// owner.
func (r *ring) header() *unix.Tpacket2Hdr {
	return (*unix.Tpacket2Hdr)(unsafe.Pointer(&r.mem[r.at]))
}

func (r *ring) advance() {
	r.at += r.slot
	r.left--
	if r.left > 0 {
		return
	}
	r.left = r.perBlock
	r.at += r.block - r.perBlock*r.slot
	if r.at == len(r.mem) {
		r.at = 0
	}
}
