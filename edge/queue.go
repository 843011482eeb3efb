package edge

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// queue is the NIC queue: the frames that wait for the link, bounded in bytes. Pauses of the device are ahead of all
// else; of the rest each class is a queue of its own, so that one that is held does not hold the others.
type queue struct {
	room, used, most unit.Bytes
	frames           uint64
	classOf          [64]uint8

	pauses  fifo.Queue[arrival]
	classes [profile.Classes]fifo.Queue[arrival]
	waiting uint8 // a bit for each class of which a frame waits
	number  uint64
}

// push puts a frame at the end of its class; it reports whether there is room.
func (q *queue) push(now unit.Time, a arrival, length unit.Bytes) bool {
	if q.used+length > q.room {
		return false
	}
	q.used += length
	q.most = max(q.most, q.used)
	q.frames++
	q.number++
	a.number, a.entered = q.number, now
	if a.frame.IsPFC() {
		q.pauses.Push(a)
		return true
	}
	class := q.classOf[a.frame.DSCP()]
	q.classes[class].Push(a)
	q.waiting |= 1 << class
	return true
}

// ready reports whether a frame waits that is not held.
func (q *queue) ready(held uint8) bool { return q.waiting&^held != 0 || !q.pauses.Empty() }

// pop takes a pause, or else the first frame of the classes that are not held; there must be one.
func (q *queue) pop(held uint8) (a arrival, class uint8) {
	if !q.pauses.Empty() {
		a = q.pauses.Pop()
	} else {
		class = q.first(held)
		a = q.classes[class].Pop()
		if q.classes[class].Empty() {
			q.waiting &^= 1 << class
		}
	}
	q.used -= a.frame.Len()
	q.frames--
	return a, class
}

// first returns the class of the frame that came first.
func (q *queue) first(held uint8) (class uint8) {
	least := ^uint64(0)
	for rest := q.waiting &^ held; rest != 0; rest &= rest - 1 {
		c := uint8(bits.TrailingZeros8(rest))
		if number := q.classes[c].First().number; number < least {
			least, class = number, c
		}
	}
	return class
}
