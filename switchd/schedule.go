package switchd

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/unit"
)

// quantumUnit is the DWRR quantum of weight 1.
const quantumUnit unit.Bytes = 1600

// pick chooses the queue that sends next among those of ready, which is not 0:
// the strict queue of the highest number, else by deficit weighted round
// robin. The queue whose turn it is sends while its deficit lasts, then the
// turn passes to the next ready queue, which gains its quantum. A paused queue
// is not ready and gains nothing; one that empties loses its deficit.
// Source: Shreedhar and Varghese, SIGCOMM 1995, section 3.
func (p *port) pick(ready, strict uint8) uint8 {
	if s := ready & strict; s != 0 {
		return uint8(bits.Len8(s) - 1)
	}
	for {
		turn := p.turn & 7
		q := &p.queues[turn]
		if has(ready, turn) && q.deficit >= unit.Bytes(q.first().len) {
			return turn
		}
		if ready != 1<<turn { // else the turn comes back at once
			next := bits.RotateLeft8(ready, -int(turn+1))
			turn = (turn + 1 + uint8(bits.TrailingZeros8(next))) & 7
			p.turn, q = turn, &p.queues[turn]
		}
		q.deficit += q.quantum
	}
}
