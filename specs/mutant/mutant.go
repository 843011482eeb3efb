package mutant

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/shipped"
)

// Wrap changes the two ends of a flow. An end that is nil stays as it is.
type Wrap struct {
	// Sender wraps the sending end.
	Sender func(cc.Sender) cc.Sender
	// Receiver wraps the receiving end; it is not called where the algorithm
	// has none.
	Receiver func(cc.Receiver) cc.Receiver
}

// In returns the lookup of algorithms in which the named shipped one is
// wrapped, for lab.Options.
func (w Wrap) In(name string) func(string) (cc.Algorithm, bool) {
	return func(wanted string) (cc.Algorithm, bool) {
		a, ok := shipped.Find(wanted)
		if ok && wanted == name {
			a = algorithm{a, w}
		}
		return a, ok
	}
}

type algorithm struct {
	cc.Algorithm
	wrap Wrap
}

func (a algorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	if err != nil {
		return nil, err
	}
	return controller{c, a.wrap}, nil
}

type controller struct {
	cc.Controller
	wrap Wrap
}

func (c controller) NewSender(f cc.Facts) cc.Sender {
	s := c.Controller.NewSender(f)
	if c.wrap.Sender != nil {
		s = c.wrap.Sender(s)
	}
	return s
}

func (c controller) NewReceiver(f cc.Facts) cc.Receiver {
	r := c.Controller.NewReceiver(f)
	if r != nil && c.wrap.Receiver != nil {
		r = c.wrap.Receiver(r)
	}
	return r
}

// BaseRateIgnored has the sender never hear of the receiver's base rate, so
// that adjustment by delay alone is left of PC4.
var BaseRateIgnored = Wrap{Sender: func(s cc.Sender) cc.Sender { return &deaf{s} }}

type deaf struct{ cc.Sender }

func (s *deaf) Handle(e *cc.Event, d *cc.Decision) {
	told := e.BaseRate
	e.BaseRate = 0
	s.Sender.Handle(e, d)
	e.BaseRate = told
}

// BaseRateOnce has the sender keep the first base rate that it was told.
var BaseRateOnce = Wrap{Sender: func(s cc.Sender) cc.Sender { return &stubborn{Sender: s} }}

type stubborn struct {
	cc.Sender
	first unit.BitRate
}

func (s *stubborn) Handle(e *cc.Event, d *cc.Decision) {
	told := e.BaseRate
	if s.first == 0 {
		s.first = told
	}
	e.BaseRate = s.first
	s.Sender.Handle(e, d)
	e.BaseRate = told
}

// LeaveUnnoticed has the receiver count flows that join and never those that
// leave.
var LeaveUnnoticed = Wrap{Receiver: func(r cc.Receiver) cc.Receiver { return &hoarder{Receiver: r} }}

type hoarder struct {
	cc.Receiver
	most int
}

func (r *hoarder) Group(g cc.Group) {
	r.most = max(r.most, g.Flows)
	g.Flows = r.most
	r.Receiver.Group(g)
}
