package record

import "math/bits"

// latenessOctaves reach from 1 us to 2^28 us, four and a half minutes.
const latenessOctaves = 28

// latenessBins is the number of bins of a Lateness: one below 1 us, and 16 steps an octave.
const latenessBins = 1 + 16*latenessOctaves

// Lateness counts how late things were on the wall, in nanoseconds: 16 steps an
// octave from 1 us on, so that a quantile is at most a sixteenth too high. It is
// plain words without pointers, so that it may lie in memory that processes share
// and travel as it is; one writer at a time. The zero value is empty.
type Lateness struct {
	// Bins are the counts: samples less than 1 us late, or early, first. The last one includes all later samples.
	Bins [latenessBins]uint64
	// Largest is the largest sample. Unit: ns.
	Largest int64
}

// Add counts a sample. Unit: ns; negative samples (early) count as 0.
func (l *Lateness) Add(ns int64) {
	l.Bins[latenessBin(ns)]++
	l.Largest = max(l.Largest, ns)
}

// latenessBin works in sixteenths of 1 us: 16 of them are the first octave's
// begin, and the five highest bits say which step.
func latenessBin(ns int64) int {
	if ns < 1000 {
		return 0
	}
	sixteenths := (uint64(ns)/1000)<<4 + uint64(ns)%1000*16/1000
	octave := bits.Len64(sixteenths) - 5
	return min(1+octave<<4+int(sixteenths>>octave)-16, latenessBins-1)
}

// latenessEdge is the largest number of ns that bin i counts.
func latenessEdge(i int) int64 {
	if i == 0 {
		return 999
	}
	octave, step := (i-1)>>4, int64(i-1)&15
	return (1000*(17+step)<<octave+15)>>4 - 1
}

// Each calls do for every bin that has samples, from the earliest on: with the largest number of ns that
// the bin counts, never above Max, and how many samples it has.
func (l *Lateness) Each(do func(to int64, samples uint64)) {
	for i, c := range l.Bins {
		to := l.Largest // of the last one, which has no end
		if i < latenessBins-1 {
			to = min(to, latenessEdge(i))
		}
		if c > 0 {
			do(to, c)
		}
	}
}

// Count returns the number of samples.
func (l *Lateness) Count() (n uint64) {
	for _, c := range l.Bins {
		n += c
	}
	return n
}

// Max returns the largest sample, exactly; 0 if there is none. Unit: ns.
func (l *Lateness) Max() int64 { return l.Largest }

// Quantile returns a number of ns that at least the share q of the samples does
// not exceed: the upper edge of its bin, never above Max; 0 if there are no
// samples. Range of q: (0, 1].
func (l *Lateness) Quantile(q float64) int64 {
	wanted := q * float64(l.Count())
	if wanted == 0 {
		return 0
	}
	var seen uint64
	for i, c := range l.Bins[:latenessBins-1] {
		seen += c
		if float64(seen) >= wanted {
			return min(latenessEdge(i), l.Largest)
		}
	}
	return l.Largest
}

// Merge adds the samples of another histogram.
func (l *Lateness) Merge(other *Lateness) {
	for i, c := range other.Bins {
		l.Bins[i] += c
	}
	l.Largest = max(l.Largest, other.Largest)
}
