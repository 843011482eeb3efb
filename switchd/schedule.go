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
func (p *port) pick(ready, strict uint8) int {
	if s := ready & strict; s != 0 {
		return bits.Len8(s) - 1
	}
	for {
		if ready&(1<<p.turn) != 0 {
			if q := &p.queues[p.turn]; q.deficit >= unit.Bytes(q.first().len) {
				return int(p.turn)
			}
		}
		next := bits.RotateLeft8(ready, -int(p.turn+1))
		p.turn = (p.turn + 1 + uint8(bits.TrailingZeros8(next))) & 7
		p.queues[p.turn].deficit += p.queues[p.turn].quantum
	}
}
