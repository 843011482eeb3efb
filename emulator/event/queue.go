// Package event keeps the pending events of one node in the order that every
// run of rocelab agrees on: time, then kind, then port, then sequence.
//
// It is a small binary heap of values. Frames in flight towards a port arrive
// in the order in which they were sent, so each port keeps them in a ring and
// only the first stands in the heap; the heap then holds a few events a port
// and stays in the first-level cache. A node of one port, a NIC, keeps its
// arrivals out of the heap altogether and compares its two heads.
package event

import (
	"math/bits"
	"unsafe"

	"github.com/rocelab/rocelab/emulator/prefetch"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// Kind orders events of one instant: what changes the link comes before what
// arrives on it, and what arrives before what the node does by itself.
type Kind uint8

// The kinds, in their order.
const (
	LinkChange Kind = iota // a port's link goes up or down
	PFC                    // the last bit of a MAC control frame arrived
	Frame                  // the last bit of any other frame arrived
	TxEnd                  // a port's transmission ended
	Timer                  // a timer of the node's own
)

// Event is one event taken from the queue.
type Event struct {
	At   unit.Time
	Kind Kind
	Port int
	// Arg is what the node gave Schedule; 0 for arrivals.
	Arg uint64
	// Frame is the arrived frame of kinds PFC and Frame.
	Frame *wire.Frame
}

// Limits of the packed key.
const (
	// MaxPorts is the number of ports that a node can have.
	MaxPorts  = 1 << portBits
	portBits  = 14
	seqBits   = 46
	portShift = seqBits
	kindShift = seqBits + portBits
)

type item struct {
	at  unit.Time
	key uint64 // kind, port, sequence
	arg uint64
}

// before returns 1 if a comes before b, else 0: the borrow of a 128-bit
// subtraction, because the outcome is as good as random and a branch on it
// would be mispredicted every other time. Times are never negative.
func (a *item) before(b *item) uint64 {
	_, borrow := bits.Sub64(a.key, b.key, 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return borrow
}

// Queue is a node's pending events. Make one with NewQueue.
type Queue struct {
	heap []item
	// vacant says that the root of heap was taken and not yet replaced: the
	// event that most handlers schedule next then costs one sift, not two.
	vacant bool
	seq    uint64
	inlets []inlet
}

// inlet is the ring of frames in flight towards one port.
type inlet struct {
	ring       []arrival
	head, tail uint32 // free-running; the ring's length is a power of two
}

type arrival struct {
	at    unit.Time
	key   uint64
	frame *wire.Frame
}

// NewQueue returns an empty queue for a node of the given number of ports, at
// most MaxPorts.
func NewQueue(ports int) *Queue {
	return &Queue{heap: make([]item, 0, 2*ports+8), inlets: make([]inlet, ports)}
}

// Arrive adds a frame of the given length whose last bit arrives at port at
// the given time. On one port, times must increase from call to call. Only a
// frame as short as a MAC control frame is looked at.
func (q *Queue) Arrive(port int, at unit.Time, length unit.Bytes, f *wire.Frame) {
	kind := Frame
	if length == wire.PFCLen && f.IsPFC() {
		kind = PFC
	}
	key := uint64(kind)<<kindShift | uint64(port)<<portShift
	in := &q.inlets[port]
	if int(in.tail-in.head) == len(in.ring) {
		in.grow()
	}
	in.ring[in.tail&uint32(len(in.ring)-1)] = arrival{at, key, f}
	in.tail++
	if in.tail-in.head == 1 && len(q.inlets) > 1 {
		q.push(item{at: at, key: key})
	}
}

// Schedule adds an event of the node's own. Events of one instant, kind and
// port come in the order in which they were scheduled.
func (q *Queue) Schedule(at unit.Time, kind Kind, port int, arg uint64) {
	q.seq++
	q.push(item{at: at, key: uint64(kind)<<kindShift | uint64(port)<<portShift | q.seq, arg: arg})
}

// Next returns the time of the earliest event, unit.Never if there is none.
func (q *Queue) Next() unit.Time {
	if q.vacant {
		q.fill()
	}
	next := unit.Never
	if len(q.heap) != 0 {
		next = q.heap[0].at
	}
	if a := q.only(); a != nil && a.at < next {
		next = a.at
	}
	return next
}

// only returns the first frame in flight towards a node's only port, nil if
// there is none or the node has several ports.
func (q *Queue) only() *arrival {
	if len(q.inlets) != 1 {
		return nil
	}
	in := &q.inlets[0]
	if in.head == in.tail {
		return nil
	}
	return &in.ring[in.head&uint32(len(in.ring)-1)]
}

// PopBefore takes the earliest event if it is before the horizon.
func (q *Queue) PopBefore(horizon unit.Time, e *Event) bool {
	if q.vacant {
		q.fill()
	}
	if a := q.only(); a != nil {
		head := item{at: a.at, key: a.key}
		if len(q.heap) == 0 || head.before(&q.heap[0]) != 0 {
			if a.at >= horizon {
				return false
			}
			q.inlets[0].head++
			*e = Event{At: a.at, Kind: Kind(a.key >> kindShift), Frame: a.frame}
			return true
		}
	}
	if len(q.heap) == 0 || q.heap[0].at >= horizon {
		return false
	}
	top := q.heap[0]
	e.At = top.at
	e.Kind = Kind(top.key >> kindShift)
	e.Port = int(top.key >> portShift & (MaxPorts - 1))
	e.Arg = top.arg
	e.Frame = nil
	if e.Kind == Frame || e.Kind == PFC {
		in := &q.inlets[e.Port]
		mask := uint32(len(in.ring) - 1)
		e.Frame = in.ring[in.head&mask].frame
		in.head++
		if in.head != in.tail {
			next := &in.ring[in.head&mask]
			if in.head+1 != in.tail {
				prefetch.Line(unsafe.Pointer(in.ring[(in.head+1)&mask].frame))
			}
			q.down(item{at: next.at, key: next.key})
			return true
		}
	}
	q.vacant = true
	return true
}

// InFlight calls visit for each frame that was delivered and has not arrived,
// port by port in order of arrival; for the account at the end of a run.
func (q *Queue) InFlight(visit func(port int, f *wire.Frame)) {
	for p := range q.inlets {
		in := &q.inlets[p]
		for i := in.head; i != in.tail; i++ {
			visit(p, in.ring[i&uint32(len(in.ring)-1)].frame)
		}
	}
}

func (q *Queue) push(it item) {
	if q.vacant {
		q.vacant = false
		q.down(it)
		return
	}
	h := append(q.heap, it)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if it.before(&h[parent]) == 0 {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = it
	q.heap = h
}

// fill closes the vacant root with the last item.
func (q *Queue) fill() {
	q.vacant = false
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.down(last)
	}
}

// down places it at the root and sifts it to its place.
func (q *Queue) down(it item) {
	h := q.heap
	n := len(h)
	i := 0
	c := 1
	for c+1 < n {
		c += int(h[c+1].before(&h[c]))
		if h[c].before(&it) == 0 {
			h[i] = it
			return
		}
		h[i] = h[c]
		i, c = c, 2*c+1
	}
	if c < n && h[c].before(&it) != 0 {
		h[i] = h[c]
		i = c
	}
	h[i] = it
}

func (in *inlet) grow() {
	old := in.ring
	in.ring = make([]arrival, max(8, 2*len(old)))
	n := uint32(0)
	for i := in.head; i != in.tail; i++ {
		in.ring[n] = old[i&uint32(len(old)-1)]
		n++
	}
	in.head, in.tail = 0, n
}
