package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// holdMeter counts the time during which the peer of a port holds at least one of its classes, in each bin, in
// picoseconds. A nil meter has counted none.
type holdMeter struct {
	Timeline
	// classes is the number of classes held, since the beginning of the time not yet counted, open the time counted in
	// the open bin.
	classes int
	since   unit.Time
	open    unit.Duration
	series  *Series
}

// Hold counts by how many classes more are held from now on; a negative number means fewer. It returns the meter, a new
// one if there was none.
func (m *holdMeter) Hold(grid Grid, more int, now unit.Time) *holdMeter {
	if !grid.On() || more == 0 {
		return m
	}
	if m == nil {
		s := new(Series)
		m = &holdMeter{Timeline: newTimeline(grid, s), series: s}
	}
	m.pass(now)
	m.classes += more
	return m
}

// pass counts the time up to now.
func (m *holdMeter) pass(now unit.Time) {
	for m.classes > 0 && now >= m.End {
		end := m.End
		m.open += end.Sub(m.since)
		m.since = end
		m.put(end)
	}
	if m.classes > 0 {
		m.open += now.Sub(m.since)
	}
	if m.since = now; now >= m.End {
		m.put(now)
	}
}

// put writes the open bin and turns to that of an instant.
func (m *holdMeter) put(now unit.Time) {
	if m.open != 0 {
		m.series.Put(m.Open, uint64(m.open))
		m.open = 0
	}
	m.Turn(now)
}

// Until returns the series up to the end of the run, in the bins of a run that ends then, nil of a nil meter.
func (m *holdMeter) Until(end unit.Time) *Series {
	if m == nil {
		return nil
	}
	m.pass(end)
	m.put(max(end, m.End-1))
	m.Widen(m.grid().WidthAt(end))
	return m.series
}
