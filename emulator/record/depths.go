package record

import (
	"math/bits"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Lengths of queues are counted in steps of 4 KiB, and from 64 KiB on in 16 steps an octave: a reported length is at
// most 4 KiB or 6.25 % too low. Below 8 KiB a queue counts as empty, so that the single frames of a port without
// congestion cost nothing.
const (
	depthStep  = 12 // as a power of two
	depthBits  = 4
	leastDepth = 2 << depthStep
)

// Depths is the time that a queue spent at each length: exact in time, in steps in length.
type Depths struct {
	// Times are by step.
	Times []unit.Duration
}

// DepthRange returns the step that a length is in, and its bounds: low and above, below high.
func DepthRange(length unit.Bytes) (step int, low, high unit.Bytes) {
	if length < leastDepth {
		return 0, 0, leastDepth
	}
	steps := uint64(length) >> depthStep
	octave := max(0, bits.Len64(steps)-1-depthBits)
	part := unit.Bytes(steps >> octave)
	return octave<<depthBits + int(part), part << (octave + depthStep), (part + 1) << (octave + depthStep)
}

// lowest is the lower bound of a step.
func lowest(step int) unit.Bytes {
	if step < 2 {
		return 0
	}
	octave := max(0, step>>depthBits-1)
	return unit.Bytes(step-octave<<depthBits) << (octave + depthStep)
}

// Add counts that the queue was in a step for a time.
func (d *Depths) Add(step int, time unit.Duration) {
	if step >= len(d.Times) {
		longer := make([]unit.Duration, step&^15+16) // there is one for each of many thousand queues
		copy(longer, d.Times)
		d.Times = longer
	}
	d.Times[step] += time
}

// Quantile returns a length that the queue did not exceed by more than a step during the share
// q of all time. It is 0 of a queue that never had 8 KiB, which may be nil. Range of q: (0, 1].
func (d *Depths) Quantile(q float64) unit.Bytes {
	if d == nil {
		return 0
	}
	total := 0.0
	for _, t := range d.Times {
		total += float64(t)
	}
	seen := 0.0
	for step, t := range d.Times {
		seen += float64(t)
		if t > 0 && seen >= float64(q*total) {
			return lowest(step)
		}
	}
	return 0
}
