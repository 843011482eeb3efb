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

func (a algorithm) New(params cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(params)
	if err != nil {
		return nil, err
	}
	return controller{c, a.wrap}, nil
}

type controller struct {
	cc.Controller
	wrap Wrap
}

func (c controller) NewSender(facts cc.Facts) cc.Sender {
	s := c.Controller.NewSender(facts)
	if c.wrap.Sender != nil {
		s = c.wrap.Sender(s)
	}
	return s
}

func (c controller) NewReceiver(facts cc.Facts) cc.Receiver {
	r := c.Controller.NewReceiver(facts)
	if r != nil && c.wrap.Receiver != nil {
		r = c.wrap.Receiver(r)
	}
	return r
}

// BaseRateIgnored has the sender never hear of the receiver's base rate, so
// that adjustment by delay alone is left of PC4.
var BaseRateIgnored = Wrap{Sender: func(s cc.Sender) cc.Sender { return &ignoresBaseRate{s} }}

type ignoresBaseRate struct{ cc.Sender }

func (s *ignoresBaseRate) Handle(event *cc.Event, decision *cc.Decision) {
	told := event.BaseRate
	event.BaseRate = 0
	s.Sender.Handle(event, decision)
	event.BaseRate = told
}

// BaseRateOnce has the sender keep the first base rate that it was told.
var BaseRateOnce = Wrap{Sender: func(s cc.Sender) cc.Sender { return &takesBaseRateOnce{Sender: s} }}

type takesBaseRateOnce struct {
	cc.Sender
	first unit.BitRate
}

func (s *takesBaseRateOnce) Handle(event *cc.Event, decision *cc.Decision) {
	told := event.BaseRate
	if s.first == 0 {
		s.first = told
	}
	event.BaseRate = s.first
	s.Sender.Handle(event, decision)
	event.BaseRate = told
}

// LeaveUnnoticed has the receiver count flows that join and never those that
// leave.
var LeaveUnnoticed = Wrap{Receiver: func(r cc.Receiver) cc.Receiver { return &keepsLargestGroup{Receiver: r} }}

type keepsLargestGroup struct {
	cc.Receiver
	most int
}

func (r *keepsLargestGroup) Group(group cc.Group) {
	r.most = max(r.most, group.Flows)
	group.Flows = r.most
	r.Receiver.Group(group)
}
