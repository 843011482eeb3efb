package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// LoadMeter counts the time during which a port transmits, in each bin, in picoseconds. It has no cost per frame: it
// follows a meter of the same grid, whose owner calls Close at the end of a bin of that meter, before a frame starts.
type LoadMeter struct {
	Timeline
	grid Grid
	// busy is the port's total of all frames that it started, including all of the last one, which ends at until;
	// counted is the part of it before the open bin.
	busy    *unit.Duration
	until   *unit.Time
	counted unit.Duration
	series  *Series
	// hold is nil as long as the peer has held no class.
	hold *holdMeter
}

// NewLoadMeter returns the meter of an idle port, which counts the time of its frames in busy and has the end of the
// last one in until.
func NewLoadMeter(grid Grid, busy *unit.Duration, until *unit.Time) *LoadMeter {
	s := new(Series)
	return &LoadMeter{
		Timeline: newTimeline(grid, s),
		grid:     grid,
		busy:     busy,
		until:    until,
		series:   s,
	}
}

// Hold counts by how many classes more the peer holds from now on; a negative number means fewer.
func (m *LoadMeter) Hold(more int, now unit.Time) { m.hold = m.hold.Hold(m.grid, more, now) }

// HeldUntil is holdMeter.Until of the port.
func (m *LoadMeter) HeldUntil(end unit.Time) *Series { return m.hold.Until(end) }

// Close writes the bins that are over now, which must not be before the start of the last frame.
func (m *LoadMeter) Close(now unit.Time) {
	for m.End <= now {
		m.put(m.End)
		if m.End >= *m.until {
			m.Turn(now)
			return
		}
		m.Turn(m.End)
	}
}

// put writes the open bin, which ends at an instant.
func (m *LoadMeter) put(end unit.Time) {
	busy := *m.busy - max(0, m.until.Sub(end))
	if busy != m.counted {
		m.series.Put(m.Open, uint64(busy-m.counted))
		m.counted = busy
	}
}

// Until returns the series up to the end of the run, in the bins of a run that ends then; nil if nothing is recorded.
func (m *LoadMeter) Until(end unit.Time) *Series {
	if !m.grid.On() {
		return nil
	}
	m.Close(end)
	m.put(end)
	m.Widen(m.grid.WidthAt(end))
	return m.series
}
