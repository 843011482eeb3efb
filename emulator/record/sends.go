package record

import "github.com/rocelab/rocelab/plugins/cc/unit"

// SendSeries are the states of a sender over model time that depend on the state of the ports on its way. A bin
// has the time in that state, in picoseconds.
type SendSeries struct {
	// Sending and PortBusy are the series of these states of SendState; Held is Paced and WindowClosed together.
	Sending, PortBusy, Held Series
}

// seriesOf is the number of a state's series, none for a state that has none.
var seriesOf = [SendStates]int8{
	Sending:       0,
	PortBusy:      1,
	Paced:         2,
	WindowClosed:  2,
	Paused:        noSeries,
	Repairing:     noSeries,
	NothingToSend: noSeries,
	InFlight:      noSeries,
	NoRoute:       noSeries,
}

const noSeries = -1

// SendMeter counts them. A nil meter counts nothing.
type SendMeter struct {
	Timeline
	counts [3]unit.Duration // of the open bin
	series *SendSeries
}

// NewSendMeter returns the meter of a flow, nil if nothing is recorded.
func NewSendMeter(grid Grid) *SendMeter {
	if !grid.On() {
		return nil
	}
	s := new(SendSeries)
	return &SendMeter{Timeline: newTimeline(grid, &s.Sending, &s.PortBusy, &s.Held), series: s}
}

// Add counts that the sender was in a state from one instant to another, no earlier than the time counted before.
func (m *SendMeter) Add(state SendState, from, to unit.Time) {
	series := seriesOf[state]
	if m == nil || series == noSeries || from >= to {
		return
	}
	if from >= m.End {
		m.close(from)
	}
	for to > m.End {
		end := m.End
		m.counts[series] += end.Sub(from)
		m.close(end)
		from = end
	}
	m.counts[series] += to.Sub(from)
}

// close writes the open bin and turns to that of now.
func (m *SendMeter) close(now unit.Time) {
	s := m.series
	for i, into := range [3]*Series{&s.Sending, &s.PortBusy, &s.Held} {
		if m.counts[i] != 0 {
			into.Put(m.Open, uint64(m.counts[i]))
			m.counts[i] = 0
		}
	}
	m.Turn(now)
}

// Until returns the series up to the end of the run, in the bins of a run that ends then, nil of a nil meter. A
// packet that is on the wire then is in them with all its time.
func (m *SendMeter) Until(end unit.Time) *SendSeries {
	if m == nil {
		return nil
	}
	m.close(max(end, m.End-1))
	m.Widen(m.grid().WidthAt(end))
	return m.series
}
