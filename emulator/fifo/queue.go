// Package fifo is the first-in first-out queue of the models: frames that wait
// for a port, frames in flight towards one, ACKs to be sent.
package fifo

// least is the room that a queue begins with, once something is put into it.
const least = 8

// Queue is a first-in first-out queue on a ring, which grows at need and never
// shrinks: it allocates while it grows and not later. The zero value is empty
// and has no ring.
type Queue[T any] struct {
	slots      []T    // a power of two of them
	head, tail uint32 // free-running
}

// Empty reports whether nothing is in the queue.
func (q *Queue[T]) Empty() bool { return q.head == q.tail }

// Len returns how many items are in the queue.
func (q *Queue[T]) Len() int { return int(q.tail - q.head) }

// First returns the oldest item; the queue must not be empty. The pointer is valid until the next Push.
func (q *Queue[T]) First() *T { return &q.slots[q.head&uint32(len(q.slots)-1)] }

// At returns the item that i others are older than. Range of i: 0 to Len-1.
// The pointer is valid until the next Push.
func (q *Queue[T]) At(i int) *T { return &q.slots[(q.head+uint32(i))&uint32(len(q.slots)-1)] }

// Push puts v behind all others. It does not inline; callers that need that write its lines out.
func (q *Queue[T]) Push(v T) {
	if q.Full() {
		q.Grow()
	}
	q.Put(v)
}

// Room returns how many items the ring holds without growing.
func (q *Queue[T]) Room() int { return len(q.slots) }

// Full reports whether the ring has no room left.
func (q *Queue[T]) Full() bool { return int(q.tail-q.head) == len(q.slots) }

// Put is Push for a queue that is not full.
func (q *Queue[T]) Put(v T) {
	q.slots[q.tail&uint32(len(q.slots)-1)] = v
	q.tail++
}

// Pop takes the oldest item; the queue must not be empty.
func (q *Queue[T]) Pop() T {
	v := q.slots[q.head&uint32(len(q.slots)-1)]
	q.head++
	return v
}

// RemoveFirst is Pop for those who have seen the item by First.
func (q *Queue[T]) RemoveFirst() { q.head++ }

// Grow doubles the ring.
func (q *Queue[T]) Grow() {
	slots := make([]T, max(least, 2*len(q.slots)))
	n := q.Len()
	for i := range n {
		slots[i] = *q.At(i)
	}
	q.slots, q.head, q.tail = slots, 0, uint32(n)
}
