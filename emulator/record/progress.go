package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// Progress is the activity of a sender, or of several together, over model time.
type Progress struct {
	// Acked is the payload acknowledged.
	Acked Series
	// Decided is the rate in force at the end of each bin, in Mb/s; of several senders it is empty.
	Decided Series
	// CNPs, NAKs and Timeouts count the ones that the sender received.
	CNPs, NAKs, Timeouts Series
}

// EachSeries yields the series.
func (p *Progress) EachSeries(yield func(*Series)) {
	yield(&p.Acked)
	yield(&p.Decided)
	yield(&p.CNPs)
	yield(&p.NAKs)
	yield(&p.Timeouts)
}

// Plus adds the activity of other senders, except the rate. Both must have bins of one width.
func (p *Progress) Plus(other *Progress) {
	p.Acked.Plus(&other.Acked)
	p.CNPs.Plus(&other.CNPs)
	p.NAKs.Plus(&other.NAKs)
	p.Timeouts.Plus(&other.Timeouts)
}

// ProgressMeter counts in the open bin of a Progress. If nothing is recorded it still counts, and is never read.
type ProgressMeter struct {
	Timeline
	// Acked, CNPs, NAKs and Timeouts are the counts of the open bin.
	Acked, CNPs, NAKs, Timeouts uint64
	// decided is the rate in force, in Mb/s; fresh is set if it is new in the open bin.
	decided uint64
	fresh   bool
	// alone is set if there is one sender only, whose rate is then recorded.
	alone  bool
	series *Progress
}

// NewProgressMeter returns the meter of a sender that has not begun, or of several.
func NewProgressMeter(grid Grid, alone bool) *ProgressMeter {
	p := &Progress{Decided: Series{Kind: Last}}
	line := newTimeline(grid, &p.Acked, &p.Decided, &p.CNPs, &p.NAKs, &p.Timeouts)
	return &ProgressMeter{Timeline: line, alone: alone, series: p}
}

// Decide notes the rate that is in force from now on.
func (m *ProgressMeter) Decide(rate unit.BitRate, now unit.Time) {
	if !m.alone || m.width == 0 {
		return
	}
	if now >= m.End {
		m.Close(now)
	}
	m.decided, m.fresh = uint64(max(0, rate/unit.Mbps)), true
}

// Close writes the open bin and turns to the bin of now.
func (m *ProgressMeter) Close(now unit.Time) {
	s := m.series
	if m.Acked != 0 {
		s.Acked.Put(m.Open, m.Acked)
		m.Acked = 0
	}
	if m.fresh {
		s.Decided.Put(m.Open, m.decided)
		m.fresh = false
	}
	if m.CNPs|m.NAKs|m.Timeouts != 0 {
		s.CNPs.Put(m.Open, m.CNPs)
		s.NAKs.Put(m.Open, m.NAKs)
		s.Timeouts.Put(m.Open, m.Timeouts)
		m.CNPs, m.NAKs, m.Timeouts = 0, 0, 0
	}
	m.Turn(now)
}

// Until returns the series up to the end of the run, in the bins of a run that ends then; nil if nothing is recorded.
func (m *ProgressMeter) Until(end unit.Time, grid Grid) *Progress {
	if !grid.On() || m.width == 0 {
		return nil
	}
	m.Close(end)
	m.Widen(grid.WidthAt(end))
	return m.series
}
