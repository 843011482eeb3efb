package switchd

import (
	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// entry is a frame in the switch, with what the switch must remember of it:
// the accounts that it came through are not in the frame.
type entry struct {
	frame *wire.Frame
	// at is when its last bit arrived.
	at unit.Time
	// len is frame.Len().
	len     uint16
	ingress uint16
	class   uint8
}

// queue is one egress queue. One that was never used has no ring.
type queue struct {
	ring[entry]
	// bytes are those of all frames bound for this queue, those still in the
	// switch's latency included.
	bytes unit.Bytes
	// deficit is the DWRR deficit, quantum what each visit adds to it.
	deficit, quantum unit.Bytes
	// chance decides on marks; made at the first draw.
	chance *chance.Stream
}

// ring is a FIFO that grows at need and never shrinks.
type ring[T any] struct {
	items      []T    // a power of two of them
	head, tail uint32 // free-running
}

func (r *ring[T]) empty() bool { return r.head == r.tail }

// first returns the oldest item, of which there must be one.
func (r *ring[T]) first() *T { return &r.items[r.head&uint32(len(r.items)-1)] }

func (r *ring[T]) pop() { r.head++ }

func (r *ring[T]) push(item *T) {
	if int(r.tail-r.head) == len(r.items) {
		r.grow()
	}
	r.items[r.tail&uint32(len(r.items)-1)] = *item
	r.tail++
}

func (r *ring[T]) grow() {
	items := make([]T, max(8, 2*len(r.items)))
	n := r.each(func(i int, item *T) { items[i] = *item })
	r.items, r.head, r.tail = items, 0, uint32(n)
}

// each calls visit for every item, oldest first, and returns their number.
func (r *ring[T]) each(visit func(i int, item *T)) int {
	n := int(r.tail - r.head)
	for i := range n {
		visit(i, &r.items[(r.head+uint32(i))&uint32(len(r.items)-1)])
	}
	return n
}
