package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// LoadMeter counts the time during which a port transmits, in each bin, in picoseconds. It costs one comparison for
// each frame: before a frame starts at or after End, the port calls Close. A port that sends nothing is not looked at.
// The zero value is not ready; make one with NewLoadMeter.
type LoadMeter struct {
	Timeline
	// counted is the part of the port's total that is before the open bin.
	counted unit.Duration
	// series is nil before the first value.
	series *Series
	// hold is nil as long as the peer has held no class.
	hold *holdMeter
}

// NewLoadMeter returns the meter of an idle port.
func NewLoadMeter(grid Grid) LoadMeter { return LoadMeter{Timeline: newTimeline(grid)} }

// Hold counts by how many classes more the peer holds from now on; a negative number means fewer.
func (m *LoadMeter) Hold(more int, now unit.Time) { m.hold = m.hold.Hold(m.grid(), more, now) }

// HeldUntil is holdMeter.Until of the port.
func (m *LoadMeter) HeldUntil(end unit.Time) *Series { return m.hold.Until(end) }

// Close writes the bins that are over now, which must not be before the start of the last frame. busy is the port's
// total of all frames that it started, including all of the last one, which ends at until.
func (m *LoadMeter) Close(now unit.Time, busy unit.Duration, until unit.Time) {
	for m.End <= now {
		m.put(m.End, busy, until)
		if m.End >= until {
			m.Turn(now)
			return
		}
		m.Turn(m.End)
	}
}

// put writes the open bin, which ends at an instant.
func (m *LoadMeter) put(end unit.Time, busy unit.Duration, until unit.Time) {
	busy -= max(0, until.Sub(end))
	if busy == m.counted {
		return
	}
	if m.series == nil {
		m.series = new(Series)
		m.Follow(m.series)
	}
	m.series.Put(m.Open, uint64(busy-m.counted))
	m.counted = busy
}

// Until returns the series up to the end of the run, in the bins of a run that ends then, with the port's total and the
// end of its last frame as in Close; nil if nothing is recorded.
func (m *LoadMeter) Until(end unit.Time, busy unit.Duration, until unit.Time) *Series {
	if !m.grid().On() {
		return nil
	}
	m.Close(end, busy, until)
	m.put(end, busy, until)
	m.Widen(m.grid().WidthAt(end))
	if m.series == nil {
		return new(Series)
	}
	return m.series
}
