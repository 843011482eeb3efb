package record

import "github.com/rocelab/rocelab/emulator/unit"

// Series is a value per bin of time. A zero Series records nothing until it
// is given an interval.
type Series struct {
	// Interval is the width of a bin, 0 for no recording.
	Interval unit.Duration
	// Bins are the values from the start of the run on; bins after the last
	// change are absent.
	Bins []int64
}

// Add adds a value to the bin of now.
func (s *Series) Add(now unit.Time, value int64) {
	if s.Interval != 0 {
		*s.bin(now, 0) += value
	}
}

// Max raises the bin of now to a value. Bins that nothing touched hold 0.
func (s *Series) Max(now unit.Time, value int64) {
	if s.Interval != 0 {
		if b := s.bin(now, 0); value > *b {
			*b = value
		}
	}
}

// Set puts a value into the bin of now; bins skipped since the last Set repeat the
// last value.
func (s *Series) Set(now unit.Time, value int64) {
	if s.Interval != 0 {
		fill := int64(0)
		if n := len(s.Bins); n > 0 {
			fill = s.Bins[n-1]
		}
		*s.bin(now, fill) = value
	}
}

func (s *Series) bin(now unit.Time, fill int64) *int64 {
	i := int(int64(now) / int64(s.Interval))
	for len(s.Bins) <= i {
		s.Bins = append(s.Bins, fill)
	}
	return &s.Bins[i]
}
