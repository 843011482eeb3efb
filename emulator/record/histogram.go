package record

import (
	"math/bits"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// subBits gives 32 buckets an octave: a quantile is at most 3.2 % too high.
const (
	subBits = 5
	octaves = 44 // up to 2^44 ns, 4.9 hours
	buckets = (octaves - subBits + 1) << subBits
	// perOctave is the number of buckets by which a histogram grows as samples need it, at either end: a large fabric
	// has one for each of many thousand queues and flows, most of them with samples in few octaves.
	perOctave = 1 << subBits
)

// Histogram counts durations in log-linear buckets of nanoseconds; mean,
// least and largest are exact. The zero value is empty; buckets are made when
// first needed.
type Histogram struct {
	// counts are the counts of the buckets from number from on.
	counts       []uint32
	from         int
	count, zeros uint64
	sum          float64
	min, max     unit.Duration
}

// Add counts a delay. A negative one counts as zero in the buckets, not in the mean.
func (h *Histogram) Add(delay unit.Duration) {
	if delay|h.min == 0 { // what waits for nothing, the most frequent case
		h.count++
		h.zeros++
		return
	}
	h.add(delay)
}

func (h *Histogram) add(delay unit.Duration) {
	if h.count == 0 {
		h.min, h.max = delay, delay
	}
	h.count++
	if delay == 0 { // after others
		h.zeros++
		h.min, h.max = min(h.min, 0), max(h.max, 0)
		return
	}
	i := bucket(delay) - h.from
	if uint(i) >= uint(len(h.counts)) {
		i = h.grow(i + h.from)
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

// grow makes room for bucket i, and returns its place in counts.
func (h *Histogram) grow(i int) int {
	if i >= h.from && i < h.from+len(h.counts) {
		return i - h.from
	}
	from, to := i&^(perOctave-1), i|(perOctave-1)+1
	if len(h.counts) > 0 {
		from, to = min(from, h.from), max(to, h.from+len(h.counts))
	}
	counts := make([]uint32, to-from)
	if len(h.counts) > 0 {
		copy(counts[h.from-from:], h.counts)
	}
	h.counts, h.from = counts, from
	return i - from
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

// Trim gives back the room that no sample needs so far.
func (h *Histogram) Trim() {
	first, end := 0, len(h.counts)
	for first < end && h.counts[first] == 0 {
		first++
	}
	for first < end && h.counts[end-1] == 0 {
		end--
	}
	if h.counts, h.from = append([]uint32(nil), h.counts[first:end]...), h.from+first; first == end {
		h.from = 0
	}
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
			return min(upperEdge(h.from+i), h.max)
		}
	}
	return h.max
}

// Merge adds the samples of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	if other.count == 0 {
		return
	}
	if n := len(other.counts); n > 0 {
		h.grow(other.from)
		h.grow(other.from + n - 1)
	}
	if h.count == 0 {
		h.min, h.max = other.min, other.max
	}
	for i, c := range other.counts {
		h.counts[other.from-h.from+i] += c
	}
	h.count, h.zeros = h.count+other.count, h.zeros+other.zeros
	h.sum += other.sum
	h.min, h.max = min(h.min, other.min), max(h.max, other.max)
}
