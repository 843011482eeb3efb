package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Activity is the activity of a port, or of several ports together, over model time.
type Activity struct {
	// Sent are the bytes of frames that left, for a single port in the bins of their bits, for several ports in the bin
	// of the first bit; Marked are the frames that were marked CE, Dropped the frames that arrived here and were
	// dropped.
	Sent, Marked, Dropped Series
	// Paused is the time during which the peer held a class, in picoseconds, summed over classes and ports.
	Paused Series
}

// EachSeries yields the series.
func (a *Activity) EachSeries(yield func(*Series)) {
	yield(&a.Sent)
	yield(&a.Marked)
	yield(&a.Dropped)
	yield(&a.Paused)
}

// ActivityMeter counts in the open bin of an Activity. If nothing is recorded it still counts, and is never read.
type ActivityMeter struct {
	Timeline
	// Sent, Marked and Dropped are the counts of the open bin, and of a frame that lasts beyond it
	// all; Last is the length of the last frame that began to leave.
	Sent, Marked, Dropped, Last uint64
	// busy is until when a port transmits, nil of a meter of several ports; rate is its rate.
	busy *unit.Time
	rate unit.BitRate
	// held is the number of classes held, since the last instant at which their time was counted, paused the time in
	// the open bin up to then.
	held   int
	since  unit.Time
	paused unit.Duration
	series *Activity
}

// NewActivityMeter returns the meter of a port that is idle.
func NewActivityMeter(grid Grid) *ActivityMeter {
	a := new(Activity)
	return &ActivityMeter{Timeline: newTimeline(grid, &a.Sent, &a.Marked, &a.Dropped, &a.Paused), series: a}
}

// OfPort makes the meter one of a port of a rate, which transmits until busy.
func (m *ActivityMeter) OfPort(rate unit.BitRate, busy *unit.Time) { m.rate, m.busy = rate, busy }

// beyond returns the part of the last frame that leaves after an instant, before which no other frame began.
func (m *ActivityMeter) beyond(at unit.Time) uint64 {
	if m.busy == nil || *m.busy <= at {
		return 0
	}
	return min(m.Last, uint64(m.rate.BytesIn(m.busy.Sub(at))))
}

// Hold counts by how many classes more are held from now on; a negative number means fewer.
func (m *ActivityMeter) Hold(more int, now unit.Time) {
	if more == 0 || m.width == 0 {
		return
	}
	if now >= m.End {
		m.Close(now)
	}
	m.paused += unit.Duration(m.held) * now.Sub(m.since)
	m.held, m.since = m.held+more, now
}

// Close writes the open bin and turns to the bin of now. It returns the number that the
// bin has now that was open.
func (m *ActivityMeter) Close(now unit.Time) (was int) {
	s := m.series
	end, left := m.End, uint64(0)
	if m.Sent != 0 {
		if now >= end {
			left = m.beyond(end)
		}
		s.Sent.Put(m.Open, m.Sent-left)
		m.Sent = left
	}
	if m.Marked|m.Dropped != 0 {
		s.Marked.Put(m.Open, m.Marked)
		s.Dropped.Put(m.Open, m.Dropped)
		m.Marked, m.Dropped = 0, 0
	}
	if m.paused != 0 {
		s.Paused.Put(m.Open, uint64(m.paused))
		m.paused = 0
	}
	was = m.Turn(now)
	if left > 0 {
		m.carry(end)
	}
	if m.held > 0 {
		m.spread(was, now)
	}
	return was
}

// carry writes what of the last frame, under way at the end of a bin, left in those from there on
// that are over.
func (m *ActivityMeter) carry(from unit.Time) {
	for bin := int(from / unit.Time(m.width)); m.Sent > 0 && bin < m.Open; bin++ {
		left := m.beyond(startOf(bin+1, m.width))
		m.series.Sent.Put(bin, m.Sent-left)
		m.Sent = left
	}
}

// spread writes the time from since to now, throughout which classes were held.
func (m *ActivityMeter) spread(was int, now unit.Time) {
	for bin := was; m.since < now; bin++ {
		until := min(now, startOf(bin+1, m.width))
		if until > m.since {
			m.series.Paused.Put(bin, uint64(m.held)*uint64(until.Sub(m.since)))
			m.since = until
		}
	}
}

// Until returns the series up to the end of the run, in the bins of a run that ends then; nil if nothing is recorded. A
// frame in flight at the end counts wholly in the last bin.
func (m *ActivityMeter) Until(end unit.Time, grid Grid) *Activity {
	if !grid.On() || m.width == 0 {
		return nil
	}
	if end >= m.End {
		m.Close(end)
	}
	if m.Sent != 0 && end > 0 { // no bin begins at the end
		m.series.Sent.Put(int((end-1)/unit.Time(m.width)), m.Sent)
		m.Sent = 0
	}
	m.Close(end)
	m.Widen(grid.WidthAt(end))
	return m.series
}
