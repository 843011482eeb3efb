package daemon

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// sampled is a node whose blocked queues are sampled.
type sampled struct {
	model.BlockedReporter
	id plan.NodeID
}

// complete notes once that the nodes have no flow under way any more.
func (p *participant) complete() {
	if !p.incomplete {
		return
	}
	last := unit.Time(0)
	for _, e := range p.ends {
		if e.Pending() > 0 {
			return
		}
		last = max(last, e.LastCompletion())
	}
	p.incomplete = false
	p.member.Complete(last)
}

// sampleIfDue samples the blocked queues at the multiples of the period.
func (p *participant) sampleIfDue(now unit.Time) {
	if every := p.order.Setup.SamplePeriod; len(p.sampled) == 0 || every == 0 || int64(now)%int64(every) != 0 {
		return
	}
	p.sample(now)
}

// sample samples the blocked queues, unless it was done at that instant. Of samples that agree the first two of a row
// are kept.
func (p *participant) sample(now unit.Time) {
	if now <= p.sampledAt {
		return
	}
	p.sampledAt = now
	s := blockedSample{At: now}
	for _, node := range p.sampled {
		s.Nodes = append(s.Nodes, blockedNode{node.id, node.Blocked()})
	}
	if n := len(p.samples); n < 2 || !s.agrees(&p.samples[n-1]) || !s.agrees(&p.samples[n-2]) {
		p.samples = append(p.samples, s)
	}
}

// agrees reports whether two samples of a participant have the same queues, which did not move between them.
func (s *blockedSample) agrees(other *blockedSample) bool {
	return slices.EqualFunc(s.Nodes, other.Nodes, func(a, b blockedNode) bool {
		return slices.EqualFunc(a.Queues, b.Queues, func(p, q switchd.Blocked) bool {
			return p.Port == q.Port && p.Class == q.Class && p.Since == q.Since && slices.Equal(p.From, q.From)
		})
	})
}

// tellIfDue reports the nodes' progress, now and then.
func (p *participant) tellIfDue() {
	p.windows++
	if p.windows%tellWindows != 0 && p.order.Setup.Clock == nil {
		return
	}
	if now := pace.Now(); now >= p.tellAt {
		p.tell()
		p.tellAt = now + max(int64(tellPeriod), tellShare*(pace.Now()-now))
	}
}

// tell reports the nodes' progress.
func (p *participant) tell() {
	acked, tally := unit.Bytes(0), record.Tally{}
	for i := range p.nodes {
		acked += p.nodes[i].Acked()
		if t, ok := p.nodes[i].Model.(model.Teller); ok {
			t.Tell(&tally)
		}
	}
	p.member.Tell(p.out.Hops, acked, &tally)
}
