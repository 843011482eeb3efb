package link

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// bitErrors are wrong bits on a link that are independent of each other. A frame with one is lost, for its FCS
// fails (IEEE 802.3, 3.2.9): one of L bytes with the probability
//
//	P = 1 - (1 - rate)^(8 L)
type bitErrors struct {
	// rate is the probability that a bit is wrong, the bit error ratio. Range: 0 to 1.
	rate float64
	// known are the probabilities by length, 0 if not yet computed.
	known []float64
}

// of returns the probability of losing a frame.
func (e *bitErrors) of(frame *wire.Frame) float64 {
	if e.rate == 0 {
		return 0
	}
	length := frame.Len()
	for unit.Bytes(len(e.known)) <= length {
		e.known = append(e.known, 0)
	}
	if e.known[length] == 0 {
		e.known[length] = anyOf(e.rate, 8*uint64(length))
	}
	return e.known[length]
}

// anyOf returns the probability that at least one of n independent events of probability p happens. It doubles and
// adds, so that nothing is lost if p is far below the precision of 1 - p.
func anyOf(p float64, n uint64) (sum float64) {
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			sum = either(sum, p)
		}
		p = either(p, p)
	}
	return sum
}

// either returns the probability that at least one of two independent events happens.
func either(p, q float64) float64 { return p + float64((1-p)*q) }
