package mutant

import (
	"sync/atomic"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Gossip has the flows of all NICs share a variable, so that what one decides
// depends on which other was asked before it: a run's result then depends on
// how its windows are cut. Each call begins afresh, for one run.
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
