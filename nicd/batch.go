package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// batchSize is the largest number of events that wait to be handled.
const batchSize = 128

// batch is the events that a NIC with a decision delay has told of and not
// handed over: an answer is not needed before it takes effect, so algorithms
// that run elsewhere get many events in one go. What each event finds and
// leaves is the same as if it had been handled when it came.
type batch struct {
	steps []cc.Step
	// flows are those of the steps.
	flows []*sender
	// fired is the wake-up that was answered last.
	fired int64
}

// post keeps an event for later and schedules when its decision, also one that
// changes nothing, takes effect.
func (n *NIC) post(q *sender, e *cc.Event) {
	b := &n.batch
	if b.steps == nil {
		b.steps, b.flows = make([]cc.Step, 0, batchSize), make([]*sender, 0, batchSize)
	}
	b.steps = append(b.steps, cc.Step{Sender: q.algorithm, Event: *e, Fired: b.fired})
	b.flows = append(b.flows, q)
	n.queue.Schedule(e.Now.Add(n.profile.DecisionDelay), event.Timer, 0, arg(jobDecide, q.index))
	if len(b.steps) == batchSize {
		n.handlePosted()
	}
}

// decide puts the flow's oldest delayed decision into force.
func (n *NIC) decide(q *sender, now unit.Time) {
	if q.decisions.delayed.Empty() {
		n.handlePosted()
	}
	c := q.decisions.delayed.Pop()
	if q.running && !c.none {
		n.apply(q, &c, now)
	}
}

// handlePosted has all posted events handled, in their order.
func (n *NIC) handlePosted() {
	b := &n.batch
	for from := 0; from < len(b.steps); {
		to := from + 1
		together := b.flows[from].batcher
		for together != nil && to < len(b.steps) && b.flows[to].batcher == together {
			to++
		}
		for i := from; i < to && together != nil; i++ {
			b.steps[i].Decision = b.flows[i].decisions.latest
		}
		if together != nil {
			together.HandleAll(b.steps[from:to])
		}
		for i := from; i < to; i++ {
			n.settleStep(b.flows[i], &b.steps[i])
		}
		from = to
	}
	b.steps, b.flows = b.steps[:0], b.flows[:0]
}

// settleStep takes the decision of a step, handling it first if no batcher did.
func (n *NIC) settleStep(q *sender, s *cc.Step) {
	c := change{none: true}
	if !q.faulty {
		d := &q.decisions
		d.latest.Clear(s.Event.Kind, s.Fired)
		before := d.latest
		if q.batcher == nil {
			q.algorithm.Handle(&s.Event, &d.latest)
		} else {
			d.latest = s.Decision
		}
		if !d.unchanged(&before) {
			if settled, ok := n.settle(q, &before, s.Event.Kind, s.Event.Now); ok {
				c = settled
			}
		}
	}
	q.decisions.delayed.Push(c)
}

// batcherOf returns what handles the sender's events with those of others, nil
// if it wants them one by one.
func batcherOf(s cc.Sender) cc.Batcher {
	if b, ok := s.(cc.Batched); ok {
		return b.Batcher()
	}
	return nil
}
