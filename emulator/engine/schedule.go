package engine

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Schedule determines the end of a run and of its windows. Every runner follows it, so that all end at the same
// instant.
type Schedule struct {
	// Until ends the run at that instant; 0 runs until the last completion,
	// and on to the next multiple of EndGrid. Limit ends the run in any case.
	Until, Limit unit.Time
	EndGrid      unit.Duration
	// Least is the minimum length of the run according to its plan; 0 if none is known.
	Least unit.Time
}

// InitialEnd returns the end of the run as far as it is known at the beginning, and whether that is final.
func (s *Schedule) InitialEnd() (end unit.Time, final bool) {
	if s.Until != 0 {
		return s.Until, true
	}
	return s.Limit, false
}

// EndAfter returns the end of a run whose last completion was at last.
func (s *Schedule) EndAfter(last unit.Time) unit.Time {
	return min(s.Limit, NextMultiple(last, s.EndGrid))
}

// EndIdle returns the end of a run that is idle after the window that ended at last, though flows are incomplete: a
// multiple of the end grid, which is the same for any cuts of windows.
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
