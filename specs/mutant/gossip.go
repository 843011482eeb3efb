package mutant

import (
	"sync/atomic"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

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
