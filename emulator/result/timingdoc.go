package result

import (
	"time"

	"github.com/rocelab/rocelab/emulator/record"
)

// TimingDocument is the form of a Timing in files and reports. Times are wall-clock times unless their names contain
// model.
type TimingDocument struct {
	// Verdict is green, amber, red or "not judged".
	Verdict     string               `json:"verdict"`
	Dilation    int64                `json:"dilation"`
	ReferenceUS float64              `json:"reference_us"`
	Edges       []edgeDocument       `json:"edges"`
	Lag         quantileDocument     `json:"lag"`
	Standstills []standstillDocument `json:"standstills"`
	ClockSteps  uint64               `json:"clock_steps"`
	StealS      float64              `json:"steal_s"`
	ThrottledS  float64              `json:"throttled_s"`
	// WindowsRanS and WindowsWaitedS are the times of threads that run windows: on a core, and waiting for one.
	WindowsRanS    float64 `json:"windows_ran_s"`
	WindowsWaitedS float64 `json:"windows_waited_s"`
	// BareTimer is the timer beside the run; without one it has no samples.
	BareTimer bareDocument `json:"bare_timer"`
	// Unplugged are there where interfaces went down by themselves.
	Unplugged []unpluggedDocument `json:"unplugged,omitempty"`
	// Priorities are there where --realtime asked for them.
	Priorities []priorityDocument `json:"priorities,omitempty"`
}

// priorityDocument has the class with which a participant ran its windows at first, fifo or normal, and the reason for
// losing it or getting none.
type priorityDocument struct {
	Participant string `json:"participant"`
	Class       string `json:"class"`
	Lost        string `json:"lost,omitempty"`
}

type edgeDocument struct {
	Edge        string            `json:"edge"`
	Interface   string            `json:"interface,omitempty"`
	Received    uint64            `json:"received"`
	Sent        uint64            `json:"sent"`
	Lateness    quantileDocument  `json:"lateness"`
	Taken       quantileDocument  `json:"taken_late"`
	LostOutside map[string]uint64 `json:"lost_outside"`
	Unfit       uint64            `json:"unfit"`
	Moved       uint64            `json:"moved"`
	MovedMostUS float64           `json:"moved_most_model_us"`
}

// quantileDocument has null for values that were not measured.
type quantileDocument struct {
	Count  uint64   `json:"count"`
	P50US  *float64 `json:"p50_us"`
	P99US  *float64 `json:"p99_us"`
	P999US *float64 `json:"p99.9_us"`
	MaxUS  *float64 `json:"max_us"`
	// Histogram has the bins with samples, 16 an octave.
	Histogram []LateBin `json:"histogram"`
}

// LateBin counts the samples later than the bound of the bin before, and at most ToUS late.
type LateBin struct {
	ToUS    float64 `json:"to_us"`
	Samples uint64  `json:"samples"`
}

type unpluggedDocument struct {
	AtUS      float64 `json:"at_model_us"`
	Edge      string  `json:"edge"`
	Interface string  `json:"interface,omitempty"`
	What      string  `json:"what"`
}

type standstillDocument struct {
	AtUS   float64 `json:"at_model_us"`
	TookMS float64 `json:"took_ms"`
	Who    string  `json:"who,omitempty"`
}

// Document returns t as files and reports print it; nil for nil.
func (t *Timing) Document() *TimingDocument {
	if t == nil {
		return nil
	}
	d := &TimingDocument{
		Verdict:     t.Colour(),
		Dilation:    t.Dilation,
		ReferenceUS: wallMicroseconds(t.Reference.Nanoseconds()),
		Edges:       []edgeDocument{},
		Lag:         quantiles(&t.Lag),
		Standstills: []standstillDocument{},
		ClockSteps:  t.ClockSteps,
		StealS:      t.Host.Steal.Seconds(),
		ThrottledS:  t.Host.Throttled.Seconds(),

		WindowsRanS:    t.Used.Ran.Seconds(),
		WindowsWaitedS: t.Used.Waited.Seconds(),
		BareTimer:      t.Bare.document(),
	}
	for i := range t.Edges {
		e := &t.Edges[i]
		lost := map[string]uint64{}
		for reason, frames := range e.Lost {
			lost[OutsideReason(reason).String()] = frames
		}
		d.Edges = append(d.Edges, edgeDocument{
			Edge:        e.Name,
			Interface:   e.Interface,
			Received:    e.Received,
			Sent:        e.Sent,
			Lateness:    quantiles(&e.Lateness),
			Taken:       quantiles(&e.Taken),
			LostOutside: lost,
			Unfit:       e.Unfit,
			Moved:       e.Moved,
			MovedMostUS: e.MovedMost.Microseconds(),
		})
	}
	for _, s := range t.Standstills {
		d.Standstills = append(d.Standstills, standstillDocument{
			AtUS:   s.At.Sub(0).Microseconds(),
			TookMS: float64(s.Took) / float64(time.Millisecond),
			Who:    s.Who,
		})
	}
	for _, u := range t.Unplugged {
		d.Unplugged = append(d.Unplugged, unpluggedDocument{u.At.Sub(0).Microseconds(), u.Edge, u.Interface, u.What})
	}
	for _, p := range t.Priorities {
		class := "normal"
		if p.Given {
			class = "fifo"
		}
		d.Priorities = append(d.Priorities, priorityDocument{p.Participant, class, p.Lost})
	}
	return d
}

func quantiles(l *record.Lateness) quantileDocument {
	d := quantileDocument{Count: l.Count(), Histogram: []LateBin{}}
	l.Each(func(to int64, samples uint64) {
		d.Histogram = append(d.Histogram, LateBin{wallMicroseconds(to), samples})
	})
	if d.Count == 0 {
		return d
	}
	of := func(ns int64) *float64 { us := wallMicroseconds(ns); return &us }
	d.P50US, d.P99US, d.P999US, d.MaxUS = of(l.Quantile(0.5)), of(l.Quantile(0.99)), of(l.Quantile(0.999)), of(l.Max())
	return d
}

func wallMicroseconds(ns int64) float64 { return float64(ns) / float64(time.Microsecond) }
