package pace

import "time"

// stepAbove is the change of the offset between two readings above which the clock
// was set: what adjusts a clock smoothly moves it by 0.05 % at most.
const stepAbove = int64(time.Millisecond)

// noise is the change of the offset that is worth a second look, as the process may
// have been interrupted between the two clocks.
const noise = int64(20 * time.Microsecond)

// outOfOrder is the least distance before its predecessor that makes a stamp impossible: frames of different processors
// may be in a ring in another order than they came, but not by as much.
const outOfOrder = int64(time.Second)

// Stamps converts time stamps of the kernel, in nanoseconds of CLOCK_REALTIME, to CLOCK_MONOTONIC. That clock may be
// set while frames wait in a ring: their stamps are then worth nothing, and the time at which they are read counts
// instead. Its zero value is ready for use.
type Stamps struct {
	// Clocks reads CLOCK_REALTIME and CLOCK_MONOTONIC at one instant, in nanoseconds. Default nil: the machine's
	// clocks.
	Clocks func() (real, monotonic int64)
	// Steps counts how often the clock was set, and LastStep is by how much the
	// last time, in nanoseconds.
	Steps    uint64
	LastStep int64

	offset  int64 // CLOCK_REALTIME - CLOCK_MONOTONIC
	since   int64 // stamps from this instant on follow the offset
	latest  int64 // the latest instant of a stamp that was right
	started bool
}

// Read reads both clocks. It must be called before the stamps of a ring are
// converted, and returns the time on CLOCK_MONOTONIC.
func (s *Stamps) Read() (now int64) {
	read := s.Clocks
	if read == nil {
		read = both
	}
	real, now := read()
	for range 2 {
		if change := real - now - s.offset; s.started && (change > noise || change < -noise) {
			real, now = read()
		}
	}
	s.observe(real, now)
	return now
}

// observe takes a reading of both clocks at one instant.
func (s *Stamps) observe(real, now int64) {
	offset := real - now
	if change := offset - s.offset; s.started && (change > stepAbove || change < -stepAbove) {
		s.Steps++
		s.LastStep = change
		s.since = now
	}
	s.started = true
	s.offset = offset
}

// At returns the instant on CLOCK_MONOTONIC of a stamp that is converted now. If the stamp cannot be right, because the
// clock was set since, because it lies ahead, or well behind one that was converted before, it returns now, and exact
// is false.
func (s *Stamps) At(stamp, now int64) (at int64, exact bool) {
	at = stamp - s.offset
	switch {
	case at > now:
		return now, at <= now+stepAbove
	case s.Steps > 0 && at < s.since, at < s.latest-outOfOrder:
		return now, false
	}
	s.latest = max(s.latest, at)
	return at, true
}
