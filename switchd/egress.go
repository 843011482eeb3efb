package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// quantumUnit is the DWRR quantum of weight 1.
const quantumUnit unit.Bytes = 1600

// egress is the queues of a port and their scheduler. Sets of queues are bits.
type egress struct {
	busy    uint8 // queues that hold frames
	blocked uint8 // queues that the peer pauses and the watchdog does not free
	strict  uint8 // queues of strict priority
	turn    uint8 // the DWRR queue whose turn it is
	data    uint8 // queues of other than control classes
	// queues are nil before their first frames; weight is the DWRR weight of each.
	queues [profile.Classes]*queue
	weight *[profile.Classes]int
}

// queue returns queue qi, made at its first frame.
func (p *port) queue(qi uint8) *queue {
	if q := p.queues[qi&7]; q != nil {
		return q
	}
	return p.makeQueue(qi & 7)
}

func (p *port) makeQueue(qi uint8) *queue {
	q := &queue{
		quantum: unit.Bytes(p.weight[qi]) * quantumUnit,
		index:   qi,
		port:    uint16(p.index),
	}
	p.meter.adopt(q, has(p.data, qi))
	p.rec.Queues.Put(qi, &q.rec)
	p.queues[qi] = q
	return q
}

// ready returns the queues that may send.
func (g *egress) ready() uint8 { return g.busy &^ g.blocked }

// pick chooses the queue that sends next among ready, which is not empty:
// the strict queue of the highest number, else by deficit weighted round
// robin. The queue whose turn it is sends while its deficit lasts, then the
// turn passes to the next ready queue, which gains its quantum. A paused queue
// is not ready and gains nothing; one that empties loses its deficit.
// Source: Shreedhar and Varghese, SIGCOMM 1995, section 3.
func (g *egress) pick(ready uint8) uint8 {
	if s := ready & g.strict; s != 0 {
		return uint8(bits.Len8(s) - 1)
	}
	for {
		turn := g.turn & 7
		q := g.queues[turn]
		if has(ready, turn) && q.deficit >= unit.Bytes(q.First().len) {
			return turn
		}
		if ready != 1<<turn { // else the turn comes back at once
			next := bits.RotateLeft8(ready, -int(turn+1))
			turn = (turn + 1 + uint8(bits.TrailingZeros8(next))) & 7
			g.turn, q = turn, g.queues[turn]
		}
		q.deficit += q.quantum
	}
}

// push puts an entry at the end of queue qi.
func (g *egress) push(qi uint8, entry *entry) {
	q := g.queues[qi&7]
	if q.Full() {
		q.Grow()
	}
	q.Put(*entry)
	g.busy |= 1 << (qi & 7)
}

// bypass leaves the scheduler as if a frame had passed through queue qi while
// all queues were empty.
func (g *egress) bypass(qi uint8) {
	if !has(g.strict, qi) {
		g.turn = qi
	}
}

// empty takes queue qi, whose last frame is gone, out of the round.
func (g *egress) empty(qi uint8) {
	g.busy &^= 1 << (qi & 7)
	g.queues[qi&7].deficit = 0
}

// charge takes length bytes that queue qi sent off its deficit.
func (g *egress) charge(qi uint8, length unit.Bytes) {
	if has(g.busy&^g.strict, qi) {
		g.queues[qi&7].deficit -= length
	}
}

// waiting returns the bytes in all queues that hold frames, and in the given one.
func (g *egress) waiting(queue *queue) unit.Bytes {
	sum := queue.bytes
	for others := g.busy &^ (1 << (queue.index & 7)); others != 0; others &= others - 1 {
		sum += g.queues[bits.TrailingZeros8(others)&7].bytes
	}
	return sum
}

// length returns the bytes of all frames bound for the port's queues.
func (g *egress) length() (sum unit.Bytes) {
	for _, q := range g.queues {
		if q != nil {
			sum += q.bytes
		}
	}
	return sum
}

// has reports whether the set of queues or classes, as bits, contains index. It
// spares the processor the test that a shift by 8 or more would call for.
func has(set, index uint8) bool { return uint32(set)&(1<<(index&7)) != 0 }
