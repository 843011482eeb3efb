package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// SendSeries are the states of a sender over model time that depend on the state of the ports on its way. A bin
// has the time in that state, in picoseconds.
type SendSeries struct {
	// Sending and PortBusy are the series of these states of SendState; Held is Paced and WindowClosed together.
	Sending, PortBusy, Held Series
}

// SendMeter counts them, from the time that a sender's clocks show: they need nothing of it until a bin is over.
type SendMeter struct {
	Timeline
	// counted is the time in each series before the open bin.
	counted [3]unit.Duration
	series  *SendSeries
}

// NewSendMeter returns the meter of a flow, nil if nothing is recorded.
func NewSendMeter(grid Grid) *SendMeter {
	if !grid.On() {
		return nil
	}
	s := new(SendSeries)
	return &SendMeter{Timeline: newTimeline(grid, &s.Sending, &s.PortBusy, &s.Held), series: s}
}

// Close writes the open bin, opens the next one and returns its end. spent is the total time in each state, with all up
// to the end of the open bin; after is the part of its Sending that comes after that end.
func (m *SendMeter) Close(spent *Spent, after unit.Duration) unit.Time {
	m.Add(spent, after)
	m.Turn(m.End)
	return m.End
}

// Add writes into the open bin the time that the totals have gained since it was opened.
func (m *SendMeter) Add(spent *Spent, after unit.Duration) {
	totals := [3]unit.Duration{spent[Sending] - after, spent[PortBusy], spent[Paced] + spent[WindowClosed]}
	for i, into := range [3]*Series{&m.series.Sending, &m.series.PortBusy, &m.series.Held} {
		if more := totals[i] - m.counted[i]; more != 0 {
			into.Put(m.Open, uint64(more))
		}
	}
	m.counted = totals
}

// Until returns the series up to the end of the run, in the bins of a run that ends then, nil of a nil meter. A packet
// that is on the wire then is in them with all its time.
func (m *SendMeter) Until(end unit.Time) *SendSeries {
	if m == nil {
		return nil
	}
	m.Turn(end)
	m.Widen(m.grid().WidthAt(end))
	return m.series
}
