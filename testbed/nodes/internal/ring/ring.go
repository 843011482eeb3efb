package ring

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Ring is a walk over the slots of a layout, in the kernel's order.
type Ring struct {
	Layout
	// Mem is the memory of all slots; At is where the current one begins in it.
	Mem []byte
	At  int
	// left counts the slots of the current slot's block from it on.
	left int
}

// New begins a walk at the first slot.
func New(l Layout, mem []byte) Ring { return Ring{Layout: l, Mem: mem, left: l.PerBlock} }

// Header returns the header of the current slot. Its status names the slot's owner and is only read and written
// atomically; the rest belongs to the owner.
func (r *Ring) Header() *unix.Tpacket2Hdr {
	return (*unix.Tpacket2Hdr)(unsafe.Pointer(&r.Mem[r.At]))
}

// Advance goes to the next slot, from the last to the first.
func (r *Ring) Advance() {
	r.At += r.Slot
	r.left--
	if r.left > 0 {
		return
	}
	r.left = r.PerBlock
	r.At += r.Block - r.PerBlock*r.Slot
	if r.At == len(r.Mem) {
		r.At = 0
	}
}
