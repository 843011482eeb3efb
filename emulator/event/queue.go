package event

import (
	"unsafe"

	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/prefetch"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
	// Arg is the argument that the node gave Schedule; 0 for arrivals.
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

// before reports whether it comes before an event of the given time and key;
// no two events have the same.
func (it *item) before(at unit.Time, key uint64) bool {
	return it.at < at || it.at == at && it.key < key
}

// farKept is the number of items that far always keeps room for once it had it.
const farKept = 1024

// nearMax bounds the sorted run, and so what adding one event may move.
const nearMax = 32

// Queue is a node's pending events. Make one with NewQueue.
type Queue struct {
	// near[:nearLen] are the earliest items, the earliest of all last.
	near    [nearMax]item
	nearLen uint
	// far are the others; it is empty if near is.
	far far
	seq uint64
	// arriving are, by port, the frames in flight towards it.
	arriving []fifo.Queue[arrival]
}

type arrival struct {
	at    unit.Time
	key   uint64
	frame *wire.Frame
}

// NewQueue returns an empty queue for a node of the given number of ports, at
// most MaxPorts.
func NewQueue(ports int) *Queue {
	return &Queue{arriving: make([]fifo.Queue[arrival], ports)}
}

// Arrive adds a frame of the given length whose last bit arrives at port at
// the given time. On one port, times must increase from call to call. Only a
// frame as short as a MAC control frame is looked at.
func (q *Queue) Arrive(port int, at unit.Time, length unit.Bytes, frame *wire.Frame) {
	kind := Frame
	if length == wire.PFCLen && frame.IsPFC() {
		kind = PFC
	}
	key := uint64(kind)<<kindShift | uint64(port)<<portShift
	in := &q.arriving[port]
	if in.Full() {
		in.Grow()
	}
	in.Put(arrival{at, key, frame})
	if in.Len() == 1 {
		q.add(at, key, 0)
	}
}

// Schedule adds an event of the node's own. Events with the same instant, kind and port are taken in the order in which
// they were scheduled.
func (q *Queue) Schedule(at unit.Time, kind Kind, port int, arg uint64) {
	q.seq++
	q.add(at, uint64(kind)<<kindShift|uint64(port)<<portShift|q.seq, arg)
}

// Next returns the time of the earliest event, unit.Never if there is none.
func (q *Queue) Next() unit.Time {
	if q.nearLen == 0 {
		return unit.Never
	}
	return q.near[q.nearLen-1].at
}

// PopBefore takes the earliest event if it is before the horizon.
func (q *Queue) PopBefore(horizon unit.Time, event *Event) bool {
	n := q.nearLen - 1
	if n >= nearMax || q.near[n].at >= horizon { // n wraps if the queue is empty
		return false
	}
	key := q.near[n].key
	event.At = q.near[n].at
	event.Kind = Kind(key >> kindShift)
	event.Port = int(key >> portShift & (MaxPorts - 1))
	event.Arg = q.near[n].arg
	q.nearLen = n
	if n == 0 && len(q.far) != 0 {
		q.refill()
	}
	if kind := Kind(key >> kindShift); kind != Frame && kind != PFC {
		event.Frame = nil
		return true
	}
	in := &q.arriving[event.Port]
	event.Frame = in.First().frame
	in.RemoveFirst()
	if n := in.Len(); n != 0 {
		next := in.First()
		if n != 1 {
			prefetch.Line(unsafe.Pointer(in.At(1).frame))
		}
		q.add(next.at, next.key, 0)
	}
	return true
}

// InFlight calls visit for each frame that was delivered and has not arrived,
// port by port in order of arrival; for the account at the end of a run.
func (q *Queue) InFlight(visit func(port int, frame *wire.Frame)) {
	for p := range q.arriving {
		in := &q.arriving[p]
		for i := range in.Len() {
			visit(p, in.At(i).frame)
		}
	}
}

// add puts an event into its place in the run or, beyond that, into the heap.
func (q *Queue) add(at unit.Time, key, arg uint64) {
	n := q.nearLen
	if n >= nearMax || len(q.far) != 0 && q.near[0].before(at, key) {
		q.addFar(item{at, key, arg})
		return
	}
	q.nearLen = n + 1
	run := q.near[:n+1]
	i := len(run) - 1
	for ; i > 0; i-- {
		sooner := &run[i-1]
		if !sooner.before(at, key) {
			break
		}
		run[i] = *sooner
	}
	run[i] = item{at, key, arg}
}

// addFar adds an item that comes after the run, or one to a full run, whose
// later half then goes to the heap.
func (q *Queue) addFar(it item) {
	if q.near[0].before(it.at, it.key) {
		q.far.push(it)
		return
	}
	const half = nearMax / 2
	for _, later := range q.near[:half] {
		q.far.push(later)
	}
	q.nearLen = uint(copy(q.near[:], q.near[half:]))
	q.add(it.at, it.key, it.arg)
}

// refill makes a run of the earliest items of the heap.
func (q *Queue) refill() {
	n := min(len(q.far), nearMax/2)
	q.nearLen = uint(n)
	for i := n - 1; i >= 0; i-- {
		q.near[i] = q.far.pop()
	}
	if room := cap(q.far); room > farKept && len(q.far) < room/4 {
		q.far = append(make(far, 0, max(farKept, room/2)), q.far...) // the starts of a million flows, say: most have begun
	}
}
