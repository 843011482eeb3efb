package nicd

// ring is a first-in first-out queue that allocates only while it grows. The
// zero value is empty.
type ring[T any] struct {
	slots      []T    // a power of two of them
	head, tail uint32 // free-running
}

func (r *ring[T]) empty() bool { return r.head == r.tail }

func (r *ring[T]) push(v T) {
	if int(r.tail-r.head) == len(r.slots) {
		r.grow()
	}
	r.slots[r.tail&uint32(len(r.slots)-1)] = v
	r.tail++
}

// pop takes the oldest; the ring must not be empty.
func (r *ring[T]) pop() T {
	v := r.slots[r.head&uint32(len(r.slots)-1)]
	r.head++
	return v
}

func (r *ring[T]) grow() {
	old, count := r.slots, r.tail-r.head
	r.slots = make([]T, max(4, 2*len(old)))
	for i := range count {
		r.slots[i] = old[(r.head+i)&uint32(len(old)-1)]
	}
	r.head, r.tail = 0, count
}
