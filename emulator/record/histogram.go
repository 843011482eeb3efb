package record

import (
	"math/bits"

	"github.com/rocelab/rocelab/emulator/unit"
)

// subBits gives 32 buckets an octave: a quantile is at most 3.2 % too high.
const (
	subBits = 5
	octaves = 44 // up to 2^44 ns, 4.9 hours
	buckets = (octaves - subBits + 1) << subBits
	// firstBuckets reach 8 us; a histogram grows as samples ask for it, since
	// a large fabric has one for each of many thousand queues.
	firstBuckets = (13 - subBits + 1) << subBits
)

// Histogram counts durations in log-linear buckets of nanoseconds; mean,
// least and largest are exact. The zero value is empty; buckets are made when
// first needed.
type Histogram struct {
	counts       []uint32
	count, zeros uint64
	sum          float64
	min, max     unit.Duration
}

// Add counts d. A negative d counts as zero in the buckets, not in the mean.
func (h *Histogram) Add(delay unit.Duration) {
	if h.count == 0 {
		h.min, h.max = delay, delay
	}
	h.count++
	if delay == 0 { // what waits for nothing, the most frequent case
		h.zeros++
		h.min, h.max = min(h.min, 0), max(h.max, 0)
		return
	}
	i := bucket(delay)
	if i >= len(h.counts) {
		h.grow(i)
	}
	h.sum += float64(delay)
	if delay < h.min {
		h.min = delay
	}
	if delay > h.max {
		h.max = delay
	}
	h.counts[i]++
}

// grow makes room for bucket i.
func (h *Histogram) grow(i int) {
	n := max(len(h.counts), firstBuckets)
	for n <= i {
		n = min(2*n, buckets)
	}
	h.counts = append(h.counts, make([]uint32, n-len(h.counts))...)
}

func bucket(delay unit.Duration) int {
	if delay <= 0 {
		return 0
	}
	ns := uint64(delay) / uint64(unit.Nanosecond)
	if ns < 1<<subBits {
		return int(ns)
	}
	e := bits.Len64(ns) - 1 - subBits
	return min(e<<subBits+int(ns>>e), buckets-1)
}

// upperEdge is the largest duration of bucket i, to the nanosecond.
func upperEdge(i int) unit.Duration {
	if i < 1<<subBits {
		return unit.Duration(i+1)*unit.Nanosecond - 1
	}
	e := i>>subBits - 1
	m := i&(1<<subBits-1) + 1<<subBits
	return unit.Duration((m+1)<<e)*unit.Nanosecond - 1
}

// Count, Mean, Min and Max are exact; all are 0 of an empty histogram.
func (h *Histogram) Count() uint64      { return h.count }
func (h *Histogram) Min() unit.Duration { return h.min }
func (h *Histogram) Max() unit.Duration { return h.max }

// Mean returns the arithmetic mean.
func (h *Histogram) Mean() unit.Duration {
	if h.count == 0 {
		return 0
	}
	return unit.Whole[unit.Duration](h.sum / float64(h.count))
}

// Total returns the sum of all samples, in picoseconds.
func (h *Histogram) Total() float64 { return h.sum }

// Quantile returns a duration that at least the share q of the samples does
// not exceed: the upper edge of its bucket, never above Max. Range of q: (0, 1].
func (h *Histogram) Quantile(q float64) unit.Duration {
	if h.count == 0 {
		return 0
	}
	rank := uint64(unit.Whole[int64](q * float64(h.count)))
	if float64(rank) < q*float64(h.count) {
		rank++
	}
	seen := h.zeros
	if seen >= rank && h.min >= 0 {
		return 0
	}
	for i, c := range h.counts {
		seen += uint64(c)
		if seen >= rank {
			return min(upperEdge(i), h.max)
		}
	}
	return h.max
}

// Merge adds the samples of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	if other.count == 0 {
		return
	}
	if len(other.counts) > len(h.counts) {
		h.grow(len(other.counts) - 1)
	}
	if h.count == 0 {
		h.min, h.max = other.min, other.max
	}
	for i, c := range other.counts {
		h.counts[i] += c
	}
	h.count, h.zeros = h.count+other.count, h.zeros+other.zeros
	h.sum += other.sum
	h.min, h.max = min(h.min, other.min), max(h.max, other.max)
}
