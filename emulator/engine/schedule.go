package engine

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Schedule says where a run and its windows end. Every runner follows it, so
// that all end at the same instant.
type Schedule struct {
	// Until ends the run at that instant; 0 runs until the last completion,
	// and on to the next multiple of EndGrid. Limit ends the run in any case.
	Until, Limit unit.Time
	EndGrid      unit.Duration
	// Least is how long the run lasts at least, as far as its plan says; 0 where nothing is known.
	Least unit.Time
}

// InitialEnd returns the instant at which the run ends as far as its beginning
// knows, and whether that is final.
func (s *Schedule) InitialEnd() (end unit.Time, final bool) {
	if s.Until != 0 {
		return s.Until, true
	}
	return s.Limit, false
}

// EndAfter returns where a run ends whose last completion was at last.
func (s *Schedule) EndAfter(last unit.Time) unit.Time {
	return min(s.Limit, NextMultiple(last, s.EndGrid))
}

// EndIdle returns where a run ends in which nothing is left to happen after the
// window that ended at last, though flows are incomplete: on the end grid, for
// there it is the same wherever windows are cut.
func (s *Schedule) EndIdle(last unit.Time) unit.Time {
	return min(s.Limit, NextMultiple(last-1, s.EndGrid))
}

// Horizon returns the end of a window of the given length that starts at
// start. It crosses neither the end of the run nor a point of the end grid.
func (s *Schedule) Horizon(start unit.Time, length unit.Duration, end unit.Time) unit.Time {
	h := min(start.Add(length), end)
	if s.Until == 0 {
		h = min(h, NextMultiple(start, s.EndGrid))
	}
	return h
}

// NextMultiple returns the first multiple of interval, which is above 0, after at.
func NextMultiple(at unit.Time, interval unit.Duration) unit.Time {
	return unit.Time((int64(at)/int64(interval) + 1) * int64(interval))
}
