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
// first needed, which is at the second value.
type Histogram struct {
	count uint64
	min   unit.Duration
	// spread has what differs from sample to sample; nil as long as all of them are min.
	spread *spread
}

// spread has the sum and the largest of the samples, and the counts of the buckets from number from on. Buckets do not
// count samples of 0. A count has 32 bits, as a large fabric has many; high has the upper 32 of a bucket with more
// samples, by its number, and is nil as long as there is none.
type spread struct {
	counts []uint32
	from   int
	high   map[int]uint32
	sum    float64
	max    unit.Duration
}

// Add counts a delay. A negative one counts as zero in the buckets, not in the mean.
func (h *Histogram) Add(delay unit.Duration) {
	if delay|h.min == 0 { // what waits for nothing, the most frequent case
		h.count++
		return
	}
	h.add(delay)
}

func (h *Histogram) add(delay unit.Duration) {
	s := h.spread
	if s == nil {
		if h.count == 0 {
			h.min = delay
		}
		if delay == h.min {
			h.count++
			return
		}
		s = h.makeSpread()
	}
	h.count++
	if delay == 0 { // after others
		h.min, s.max = min(h.min, 0), max(s.max, 0)
		return
	}
	i := bucket(delay) - s.from
	if uint(i) >= uint(len(s.counts)) {
		i = s.grow(i + s.from)
	}
	s.sum += float64(delay)
	if delay < h.min {
		h.min = delay
	}
	if delay > s.max {
		s.max = delay
	}
	if s.counts[i]++; s.counts[i] == 0 {
		s.carry(i + s.from)
	}
}

// carry notes that the count of a bucket has passed 2^32 once more.
func (s *spread) carry(bucket int) {
	if s.high == nil {
		s.high = map[int]uint32{}
	}
	s.high[bucket]++
}

// at returns the count at place i of counts, and set sets it.
func (s *spread) at(i int) uint64 { return uint64(s.high[s.from+i])<<32 | uint64(s.counts[i]) }

func (s *spread) set(i int, count uint64) {
	s.counts[i] = uint32(count)
	if high := uint32(count >> 32); high != s.high[s.from+i] {
		if s.high == nil {
			s.high = map[int]uint32{}
		}
		s.high[s.from+i] = high
	}
}

// makeSpread makes the buckets, with the equal samples so far.
func (h *Histogram) makeSpread() *spread {
	h.spread = &spread{sum: h.Total(), max: h.min}
	if h.min != 0 {
		i := h.spread.grow(bucket(h.min))
		h.spread.set(i, h.count)
	}
	return h.spread
}

// grow makes room for bucket i, and returns its place in counts.
func (s *spread) grow(i int) int {
	if i >= s.from && i < s.from+len(s.counts) {
		return i - s.from
	}
	from, to := i&^(perOctave-1), i|(perOctave-1)+1
	if len(s.counts) > 0 {
		from, to = min(from, s.from), max(to, s.from+len(s.counts))
	}
	counts := make([]uint32, to-from)
	if len(s.counts) > 0 {
		copy(counts[s.from-from:], s.counts)
	}
	s.counts, s.from = counts, from
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
	if h.spread == nil {
		return
	}
	counts := h.spread.counts
	first, end := 0, len(counts)
	for first < end && h.spread.at(first) == 0 {
		first++
	}
	for first < end && h.spread.at(end-1) == 0 {
		end--
	}
	h.spread.counts, h.spread.from = append([]uint32(nil), counts[first:end]...), h.spread.from+first
}

// zeros is the number of samples of 0.
func (h *Histogram) zeros() uint64 {
	switch {
	case h.spread != nil:
		zeros := h.count
		for i := range h.spread.counts {
			zeros -= h.spread.at(i)
		}
		return zeros
	case h.min == 0:
		return h.count
	}
	return 0
}

// Count, Mean, Min and Max are exact; all are 0 of an empty histogram.
func (h *Histogram) Count() uint64      { return h.count }
func (h *Histogram) Min() unit.Duration { return h.min }
func (h *Histogram) Max() unit.Duration {
	if h.spread == nil {
		return h.min
	}
	return h.spread.max
}

// Mean returns the arithmetic mean.
func (h *Histogram) Mean() unit.Duration {
	if h.count == 0 {
		return 0
	}
	return unit.Whole[unit.Duration](h.Total() / float64(h.count))
}

// Total returns the sum of all samples, in picoseconds.
func (h *Histogram) Total() float64 {
	if h.spread == nil {
		return float64(h.count) * float64(h.min)
	}
	return h.spread.sum
}

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
	seen := h.zeros()
	if seen >= rank && h.min >= 0 {
		return 0
	}
	if h.spread == nil {
		return h.min
	}
	for i := range h.spread.counts {
		seen += h.spread.at(i)
		if seen >= rank {
			return min(upperEdge(h.spread.from+i), h.spread.max)
		}
	}
	return h.spread.max
}

// Merge adds the samples of another histogram.
func (h *Histogram) Merge(other *Histogram) {
	if other.count == 0 {
		return
	}
	if h.count == 0 {
		h.min = other.min
	}
	if h.spread == nil && other.spread == nil && h.min == other.min {
		h.count += other.count
		return
	}
	if h.spread == nil {
		h.makeSpread()
	}
	counted := other.spread
	if counted == nil {
		alike := *other
		counted = alike.makeSpread()
	}
	if n := len(counted.counts); n > 0 {
		h.spread.grow(counted.from)
		h.spread.grow(counted.from + n - 1)
	}
	for i := range counted.counts {
		at := counted.from - h.spread.from + i
		h.spread.set(at, h.spread.at(at)+counted.at(i))
	}
	h.count += other.count
	h.spread.sum += counted.sum
	h.min, h.spread.max = min(h.min, other.min), max(h.spread.max, counted.max)
}
