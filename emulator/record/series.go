package record

import "math"

// kind is the kind of values in the bins of a series; it decides how two bins combine.
type kind uint8

// The kinds.
const (
	// Sum: how much came together in the bin.
	Sum kind = iota
	// Max: the most that there was in it. A bin that nothing touched has 0.
	Max
	// Last: what held at its end. Bins after the last value repeat it.
	Last
)

// Series is a value per bin of model time, from the start of the run on. Its bins are as wide as the bins of the
// Timeline that it follows. Values are not negative. The zero value is an empty series of sums.
type Series struct {
	Kind kind
	// Shift is the binary exponent of the unit of Bins; 0 unless a value is beyond 32 bits. Range: 0 to 32.
	Shift uint8
	// Bins are the values, in units of 1 << Shift. Bins after the last are absent.
	Bins []uint32
	// Rest is the remainder of a sum beyond its bins, less than 1 << Shift: a bin is the number of units complete at
	// its end minus the number at its start, so nothing is lost, and bins together with Rest are the total.
	Rest uint64
	// room is the number of bins allocated at once.
	room int
}

// Len returns how many bins are present, none of a nil series.
func (s *Series) Len() int {
	if s == nil {
		return 0
	}
	return len(s.Bins)
}

// At returns the value of a bin, exact to below 1 << Shift; for an absent one the default of its kind. A nil series has
// 0 everywhere.
func (s *Series) At(bin int) int64 {
	switch {
	case s == nil || len(s.Bins) == 0:
		return 0
	case bin < len(s.Bins):
		return int64(s.Bins[bin]) << s.Shift
	case s.Kind == Last:
		return int64(s.Bins[len(s.Bins)-1]) << s.Shift
	}
	return 0
}

// Put brings a value into a bin, which must not be before the last one present.
func (s *Series) Put(bin int, value uint64) {
	if n := len(s.Bins); bin == n && n < cap(s.Bins) && value <= math.MaxUint32 && s.Shift == 0 {
		s.Bins = append(s.Bins, uint32(value)) // what nearly always happens
		return
	}
	if bin >= len(s.Bins) {
		if value == 0 && s.Kind != Last {
			return
		}
		s.extend(bin)
	}
	switch s.Kind {
	case Sum:
		s.add(bin, value)
	case Max:
		for value>>s.Shift > math.MaxUint32 {
			s.coarsen()
		}
		s.Bins[bin] = max(s.Bins[bin], uint32(value>>s.Shift))
	case Last:
		for value>>s.Shift > math.MaxUint32 {
			s.coarsen()
		}
		s.Bins[bin] = uint32(value >> s.Shift)
	}
}

// add adds a value to the last bin.
func (s *Series) add(bin int, value uint64) {
	value += s.Rest
	for uint64(s.Bins[bin])+value>>s.Shift > math.MaxUint32 {
		s.Rest = 0 // it is in value
		value += s.coarsen()
	}
	s.Bins[bin] += uint32(value >> s.Shift)
	s.Rest = value & (1<<s.Shift - 1)
}

// extend makes the bins up to one.
func (s *Series) extend(bin int) {
	fill := uint32(0)
	if n := len(s.Bins); s.Kind == Last && n > 0 {
		fill = s.Bins[n-1]
	}
	if cap(s.Bins) == 0 && s.room > bin {
		s.Bins = make([]uint32, 0, s.room)
	}
	for len(s.Bins) <= bin {
		s.Bins = append(s.Bins, fill)
	}
}

// coarsen doubles the unit. It returns what of a sum is left over after the last bin, which Rest
// does not have yet.
func (s *Series) coarsen() (left uint64) {
	odd := uint32(0)
	for i, v := range s.Bins {
		if s.Kind != Sum {
			s.Bins[i] = v >> 1
			continue
		}
		both := uint64(v) + uint64(odd)
		s.Bins[i], odd = uint32(both>>1), uint32(both&1)
	}
	left = uint64(odd) << s.Shift
	s.Shift++
	return left
}

// merge makes one bin of each two: the series of twice the width.
func (s *Series) merge() {
	for s.Kind == Sum && s.overflows() {
		s.Rest += s.coarsen()
	}
	bins := s.Bins
	half := bins[:(len(bins)+1)/2]
	last := len(bins) / 2 // pairs
	switch s.Kind {
	case Sum:
		for i := range last {
			half[i] = bins[2*i] + bins[2*i+1]
		}
	case Max:
		for i := range last {
			half[i] = max(bins[2*i], bins[2*i+1])
		}
	case Last:
		for i := range last {
			half[i] = bins[2*i+1]
		}
	}
	if len(half) > last {
		half[last] = bins[2*last]
	}
	s.Bins = half
}

// overflows reports whether two bins that merge are more than 32 bits hold.
func (s *Series) overflows() bool {
	all := uint32(0)
	for _, v := range s.Bins {
		all |= v
	}
	if all < 1<<31 {
		return false
	}
	for i := 1; i < len(s.Bins); i += 2 {
		if uint64(s.Bins[i-1])+uint64(s.Bins[i]) > math.MaxUint32 {
			return true
		}
	}
	return false
}

// Merge doubles the width of a series' bins n times.
func (s *Series) Merge(n int) {
	for range n {
		s.merge()
	}
}

// Folded returns the series with a width doubled n times: itself where n is 0, otherwise one in room.
func (s *Series) Folded(n int, room *Series) *Series {
	if n == 0 {
		return s
	}
	bins := append(room.Bins[:0], s.Bins...)
	*room = *s
	room.Bins = bins
	room.Merge(n)
	return room
}

// Plus adds the bins of another series of sums, of the same width.
func (s *Series) Plus(other *Series) {
	if other == nil || len(other.Bins) == 0 {
		return
	}
	if s.Shift|other.Shift == 0 && s.addBins(other.Bins) {
		return
	}
	sum := Series{Rest: s.Rest + other.Rest}
	for bin := range max(len(s.Bins), len(other.Bins)) {
		sum.Put(bin, uint64(s.At(bin)+other.At(bin)))
	}
	*s = sum
}

// addBins adds bins to the bins of the series, unless some do not fit.
func (s *Series) addBins(bins []uint32) bool {
	for bin, v := range bins {
		if uint64(s.At(bin))+uint64(v) > math.MaxUint32 {
			return false
		}
	}
	s.extend(len(bins) - 1)
	for bin, v := range bins {
		s.Bins[bin] += v
	}
	return true
}
