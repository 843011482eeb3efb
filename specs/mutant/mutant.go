package mutant

import (
	"sync/atomic"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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

// In returns a lookup of algorithms that wraps the named shipped one, for lab.Options.
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

// Gossip makes the flows of all NICs share a variable, so that one's decision depends on which other was asked before
// it: a run's result then depends on the cuts of its windows. Each call begins afresh, for one run.
func Gossip() Wrap {
	shared := new(atomic.Int64)
	return Wrap{Sender: func(s cc.Sender) cc.Sender { return &gossip{s, shared} }}
}

type gossip struct {
	cc.Sender
	shared *atomic.Int64
}

func (s *gossip) Handle(event *cc.Event, decision *cc.Decision) {
	s.Sender.Handle(event, decision)
	decision.Rate -= decision.Rate / 1000 * unit.BitRate(s.shared.Add(1)%16)
}
