package eventlog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
)

// Recorder wraps algorithms so that their calls are written down. It changes
// nothing of their events and answers, but that events go to a separate process one
// by one, never in batches.
//
// A Recorder has no state. Sinks of different ends of flows may be called at
// the same time, from the goroutines that own their NICs; the calls of one end
// are not.
type Recorder struct {
	// Open returns where the calls of an end of a flow go, nil for nowhere. It
	// is called when the end is set up, one end after the other.
	Open func(header Header) Sink
}

// Find returns a look-up of algorithms that records each of them.
func (r Recorder) Find(find func(string) (cc.Algorithm, bool)) func(string) (cc.Algorithm, bool) {
	return func(name string) (cc.Algorithm, bool) {
		algorithm, ok := find(name)
		if ok {
			algorithm = r.Wrap(algorithm)
		}
		return algorithm, ok
	}
}

// Wrap returns the algorithm, recorded.
func (r Recorder) Wrap(inner cc.Algorithm) cc.Algorithm { return algorithm{inner, r} }

type algorithm struct {
	cc.Algorithm
	recorder Recorder
}

// New implements cc.Algorithm.
func (a algorithm) New(params cc.Params) (cc.Controller, error) {
	inner, err := a.Algorithm.New(params)
	if err != nil {
		return nil, err
	}
	d := a.Describe()
	values := slices.Clone(d.Values)
	for i := range values {
		values[i].Doc = ""
	}
	return controller{inner, a.recorder, Header{
		Algorithm: d.Name,
		Version:   d.Version,
		Params:    maps.Clone(hosting.Written(params)),
		Signals:   inner.Signals(),
		Values:    values,
	}}, nil
}

type controller struct {
	cc.Controller
	recorder Recorder
	header   Header
}

// String names the controller in messages as if it were not wrapped.
func (c controller) String() string {
	if s, ok := c.Controller.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", c.Controller)
}

// open opens the log of an end of a flow; facts and chance are as they were before
// the algorithm got them, and drew from its stream.
func (c controller) open(facts cc.Facts, chance [4]uint64, end End) Sink {
	header := c.header
	header.Flow, header.End, header.Facts, header.Chance = facts.Flow, end, facts, chance
	if end == Receiver {
		header.Values = nil
	}
	header.Facts.Chance = nil
	return c.recorder.Open(header)
}

// NewSender implements cc.Controller.
func (c controller) NewSender(facts cc.Facts) cc.Sender {
	state := chanceOf(facts)
	s := c.Controller.NewSender(facts)
	if s == nil {
		return nil
	}
	if to := c.open(facts, state, Sender); to != nil {
		return &sender{failing{s}, s, to, Step{}, make([]float64, len(c.header.Values))}
	}
	return s
}

// NewReceiver implements cc.Controller.
func (c controller) NewReceiver(facts cc.Facts) cc.Receiver {
	state := chanceOf(facts)
	r := c.Controller.NewReceiver(facts)
	if r == nil {
		return nil
	}
	if to := c.open(facts, state, Receiver); to != nil {
		return &receiver{failing{r}, r, to, Reception{}}
	}
	return r
}

func chanceOf(facts cc.Facts) (state [4]uint64) {
	if facts.Chance != nil {
		state = facts.Chance.State()
	}
	return state
}

// failing passes on the failure of an end that runs elsewhere.
type failing struct{ end any }

// NameFlow implements hosting.Failing.
func (f failing) NameFlow(name string) {
	if inner, ok := f.end.(hosting.Failing); ok {
		inner.NameFlow(name)
	}
}

// Err implements hosting.Failing.
func (f failing) Err() error {
	if inner, ok := f.end.(hosting.Failing); ok {
		return inner.Err()
	}
	return nil
}

var (
	_ hosting.Failing = (*sender)(nil)
	_ hosting.Failing = (*receiver)(nil)
	_ cc.Valued       = (*sender)(nil)
)

// sender is a recorded sender; it does not implement hosting.Batched.
type sender struct {
	failing
	inner cc.Sender
	to    Sink
	step  Step
	// into takes the values, which may be none.
	into []float64
}

// Handle implements cc.Sender.
func (s *sender) Handle(event *cc.Event, decision *cc.Decision) {
	s.step.Event, s.step.Before = *event, *decision
	s.inner.Handle(event, decision)
	s.step.After = *decision
	if len(s.into) > 0 {
		s.step.Values = readValues(s.inner, s.into)
	}
	s.to.Step(&s.step)
}

// Values implements cc.Valued.
func (s *sender) Values(into []float64) { hosting.ReadValues(s.inner, into) }

type receiver struct {
	failing
	inner cc.Receiver
	to    Sink
	call  Reception
}

// Data implements cc.Receiver.
func (r *receiver) Data(arrival *cc.Arrival, feedback *cc.Feedback) {
	r.call = Reception{Arrival: *arrival, Before: *feedback}
	r.inner.Data(arrival, feedback)
	r.call.After = *feedback
	r.to.Reception(&r.call)
}

// Group implements cc.Receiver.
func (r *receiver) Group(group cc.Group) {
	r.inner.Group(group)
	r.call = Reception{IsGroup: true, Group: group}
	r.to.Reception(&r.call)
}
