package eventlog

import (
	"fmt"
	"maps"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Recorder wraps algorithms so that their calls are written down. It changes
// nothing of what they are told or answer, but that events go to a process of
// its own one by one, never in batches.
//
// A Recorder has no state. Sinks of different ends of flows may be called at
// the same time, from the goroutines that own their NICs; those of one end are
// not.
type Recorder struct {
	// Open returns where the calls of an end of a flow go, nil for nowhere. It
	// is called when the end is set up, one end after the other.
	Open func(h Header) Sink
}

// Find returns a look-up of algorithms in which each is recorded.
func (r Recorder) Find(find func(string) (cc.Algorithm, bool)) func(string) (cc.Algorithm, bool) {
	return func(name string) (cc.Algorithm, bool) {
		a, ok := find(name)
		if ok {
			a = r.Wrap(a)
		}
		return a, ok
	}
}

// Wrap returns the algorithm, recorded.
func (r Recorder) Wrap(a cc.Algorithm) cc.Algorithm { return algorithm{a, r} }

type algorithm struct {
	cc.Algorithm
	recorder Recorder
}

// New implements cc.Algorithm.
func (a algorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	if err != nil {
		return nil, err
	}
	d := a.Describe()
	return controller{c, a.recorder, Header{Algorithm: d.Name, Version: d.Version, Params: maps.Clone(p.Written()),
		Signals: c.Signals()}}, nil
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

// open opens the log of an end of a flow; f is as it was before the algorithm
// got it, and drew from its stream.
func (c controller) open(f cc.Facts, chance [4]uint64, end End) Sink {
	h := c.header
	h.Flow, h.End, h.Facts, h.Chance = f.Flow, end, f, chance
	h.Facts.Chance = nil
	return c.recorder.Open(h)
}

// NewSender implements cc.Controller.
func (c controller) NewSender(f cc.Facts) cc.Sender {
	state := chanceOf(f)
	s := c.Controller.NewSender(f)
	if s == nil {
		return nil
	}
	if to := c.open(f, state, Sender); to != nil {
		return &sender{failing{s}, s, to, Step{}}
	}
	return s
}

// NewReceiver implements cc.Controller.
func (c controller) NewReceiver(f cc.Facts) cc.Receiver {
	state := chanceOf(f)
	r := c.Controller.NewReceiver(f)
	if r == nil {
		return nil
	}
	if to := c.open(f, state, Receiver); to != nil {
		return &receiver{failing{r}, r, to, Reception{}}
	}
	return r
}

func chanceOf(f cc.Facts) (state [4]uint64) {
	if f.Chance != nil {
		state = f.Chance.State()
	}
	return state
}

// failing passes on what an end that runs elsewhere has to tell.
type failing struct{ end any }

// NameFlow implements cc.Failing.
func (f failing) NameFlow(name string) {
	if inner, ok := f.end.(cc.Failing); ok {
		inner.NameFlow(name)
	}
}

// Err implements cc.Failing.
func (f failing) Err() error {
	if inner, ok := f.end.(cc.Failing); ok {
		return inner.Err()
	}
	return nil
}

var (
	_ cc.Failing = (*sender)(nil)
	_ cc.Failing = (*receiver)(nil)
)

// sender is a recorded one; it is no cc.Batched.
type sender struct {
	failing
	inner cc.Sender
	to    Sink
	step  Step
}

// Handle implements cc.Sender.
func (s *sender) Handle(e *cc.Event, d *cc.Decision) {
	s.step.Event, s.step.Before = *e, *d
	s.inner.Handle(e, d)
	s.step.After = *d
	s.to.Step(&s.step)
}

type receiver struct {
	failing
	inner cc.Receiver
	to    Sink
	call  Reception
}

// Data implements cc.Receiver.
func (r *receiver) Data(a *cc.Arrival, fb *cc.Feedback) {
	r.call = Reception{Arrival: *a, Before: *fb}
	r.inner.Data(a, fb)
	r.call.After = *fb
	r.to.Reception(&r.call)
}

// Group implements cc.Receiver.
func (r *receiver) Group(g cc.Group) {
	r.inner.Group(g)
	r.call = Reception{Told: true, Group: g}
	r.to.Reception(&r.call)
}
