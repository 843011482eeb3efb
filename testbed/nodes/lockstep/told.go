package lockstep

import (
	"math"
	"sync/atomic"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// told is a participant's published progress, in a cache line of its own. It is for display only: nothing in the run
// reads it.
type told struct {
	hops, acked atomic.Uint64
	// sent and delivered are payload; marks and cnps counts.
	sent, delivered, marks, cnps atomic.Uint64
	// lost has the XOFFs above, then a bit for drops of a lossless class, then the drops.
	lost atomic.Uint64
	// longest has the longest queue in bytes above, and the completed flows.
	longest atomic.Uint64
}

// The division of the last two words. A value larger than its part is published as the largest.
const (
	dropBits      = 31
	xoffBits      = 32
	completedBits = 24
	queueBits     = 64 - completedBits
)

// capped returns a number in the given bits, the largest if it does not fit.
func capped(number uint64, bits int) uint64 { return min(number, 1<<bits-1) }

// Tell publishes progress, for readers outside the run: the number of frames that the participant's nodes sent, their
// acknowledged payload, and their counts.
func (m *Member) Tell(hops uint64, acked unit.Bytes, tally *record.Tally) {
	w := &m.page.told[m.index]
	w.hops.Store(hops)
	w.acked.Store(uint64(acked))
	w.sent.Store(uint64(tally.Sent))
	w.delivered.Store(uint64(tally.Delivered))
	w.marks.Store(tally.Marks)
	w.cnps.Store(tally.CNPs)
	lossless := capped(tally.Lossless, 1)
	w.lost.Store(capped(tally.XOFFs, xoffBits)<<(dropBits+1) | lossless<<dropBits | capped(tally.Drops, dropBits))
	w.longest.Store(capped(uint64(tally.Longest), queueBits)<<completedBits | capped(tally.Completed, completedBits))
}

// Told returns the sums of the participants' progress, and the longest queue of all. For drops of lossless classes it
// knows the number of participants with any. For any words, all are 0 or above: too large a sum is the largest number.
func (p *Page) Told() (hops uint64, acked unit.Bytes, tally record.Tally) {
	for i := range p.told {
		w := &p.told[i]
		hops = plus(hops, w.hops.Load())
		acked = plus(acked, w.acked.Load())
		tally.Sent = plus(tally.Sent, w.sent.Load())
		tally.Delivered = plus(tally.Delivered, w.delivered.Load())
		tally.Marks = plus(tally.Marks, w.marks.Load())
		tally.CNPs = plus(tally.CNPs, w.cnps.Load())
		lost, longest := w.lost.Load(), w.longest.Load()
		tally.XOFFs += lost >> (dropBits + 1)
		tally.Lossless += lost >> dropBits & 1
		tally.Drops += lost & (1<<dropBits - 1)
		tally.Completed += longest & (1<<completedBits - 1)
		tally.Longest = max(tally.Longest, unit.Bytes(longest>>completedBits))
	}
	return hops, acked, tally
}

// plus adds a word to a number that is 0 or above, up to the largest that both types hold.
func plus[T uint64 | unit.Bytes](so T, word uint64) T {
	return T(min(uint64(so)+min(word, math.MaxInt64), math.MaxInt64))
}
