package switchd

import (
	"github.com/rocelab/rocelab/emulator/chance"
	"github.com/rocelab/rocelab/emulator/record"
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
	place   place
	// flow is where the frame's flow is counted, 0 for nowhere; see proximity.
	flow uint16
}

// place says which memory holds a frame.
type place uint8

const (
	inShared      place = iota // the shared buffer
	inIngressPool              // that of the DCI port by which it came
	inEgressPool               // that of the DCI port by which it goes
	inNone                     // none that is counted: control classes, and frames that the switch made itself
)

// queue is one egress queue. One that was never used has no ring.
type queue struct {
	ring[entry]
	// bytes are those of all frames bound for this queue, those still in the
	// switch's latency included.
	bytes unit.Bytes
	// max is their high-water mark.
	max unit.Bytes
	// deficit is the DWRR deficit, quantum what each visit adds to it.
	deficit, quantum unit.Bytes
	// chance decides on marks; made at the first draw.
	chance *chance.Stream
	index  int // which queue of its port this is
	// rec is where the queue is counted, in its port's record.
	rec *record.Queue
}

// fill adds l bytes to the queue's length and keeps its high-water marks.
func (q *queue) fill(l unit.Bytes, now unit.Time) {
	l += q.bytes
	if q.rec.Depth.Interval != 0 {
		q.raiseDepth(l, now)
	}
	q.bytes = l
	q.max = max(q.max, l)
}

// drain takes l bytes off the queue's length.
func (q *queue) drain(l unit.Bytes, now unit.Time) {
	if q.rec.Depth.Interval != 0 {
		fillDepth(q.rec, q.bytes, now)
	}
	q.bytes -= l
}

// raiseDepth raises the bin of now to l.
func (q *queue) raiseDepth(l unit.Bytes, now unit.Time) {
	fillDepth(q.rec, q.bytes, now)
	last := &q.rec.Depth.Bins[len(q.rec.Depth.Bins)-1]
	*last = max(*last, int64(l))
}

// fillDepth makes the bins of the series up to that of now, which is never
// before the last one made. A bin in which nothing changed holds the length
// that stood.
func fillDepth(rec *record.Queue, standing unit.Bytes, now unit.Time) {
	for d := &rec.Depth; int64(now) >= int64(len(d.Bins))*int64(d.Interval); {
		d.Bins = append(d.Bins, int64(standing))
	}
}

// ring is a FIFO that grows at need and never shrinks.
type ring[T any] struct {
	items      []T    // a power of two of them
	head, tail uint32 // free-running
}

func (r *ring[T]) empty() bool { return r.head == r.tail }

func (r *ring[T]) len() int { return int(r.tail - r.head) }

// first returns the oldest item, of which there must be one.
func (r *ring[T]) first() *T { return &r.items[r.head&uint32(len(r.items)-1)] }

func (r *ring[T]) pop() { r.head++ }

func (r *ring[T]) push(item *T) {
	if r.len() == len(r.items) {
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
	n := r.len()
	for i := range n {
		visit(i, &r.items[(r.head+uint32(i))&uint32(len(r.items)-1)])
	}
	return n
}
