package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// batchSize is the largest number of events that wait to be handled.
const batchSize = 128

// batch holds the events of a NIC with a decision delay that are not yet handled by an algorithm: an answer is not
// needed before it takes effect, so algorithms that run elsewhere get many events in one go. The state that each event
// finds and leaves is the same as if it had been handled when it came.
type batch struct {
	steps []hosting.Step
	// flows has the flow of each step.
	flows []*sender
	// fired is the wake-up that was answered last.
	fired int64
	// values has room for what senders of steps are asked for.
	values []float64
}

// post keeps an event for later and schedules when its decision, also one that
// changes nothing, takes effect.
func (n *NIC) post(flow *sender, posted *cc.Event) {
	batch := &n.batch
	if batch.steps == nil {
		batch.steps, batch.flows = make([]hosting.Step, 0, batchSize), make([]*sender, 0, batchSize)
	}
	batch.steps = append(batch.steps, hosting.Step{Sender: flow.algorithm, Event: *posted, Fired: batch.fired})
	batch.flows = append(batch.flows, flow)
	flow.decisions.posted++
	n.queue.Schedule(posted.Now.Add(n.profile.DecisionDelay), event.Timer, 0, timerArg(jobApplyDelayed, flow.index))
	if len(batch.steps) == batchSize {
		n.handlePosted()
	}
}

// applyDelayed puts the flow's oldest delayed decision into force.
func (n *NIC) applyDelayed(flow *sender, now unit.Time) {
	if flow.decisions.delayed.Empty() {
		n.handlePosted()
	}
	change := flow.decisions.delayed.Pop()
	if flow.decisions.posted--; flow.running && !change.none {
		n.apply(flow, &change, now)
	}
	restSender(n, flow)
}

// handlePosted has all posted events handled, in their order.
func (n *NIC) handlePosted() {
	batch := &n.batch
	for from := 0; from < len(batch.steps); {
		to := from + 1
		together := batch.flows[from].batcher
		for together != nil && to < len(batch.steps) && batch.flows[to].batcher == together {
			to++
		}
		for i := from; i < to && together != nil; i++ {
			batch.steps[i].Decision = batch.flows[i].decisions.latest
			batch.askValues(i)
		}
		if together != nil {
			together.HandleAll(batch.steps[from:to])
		}
		for i := from; i < to; i++ {
			settleStep(n, batch.flows[i], &batch.steps[i])
		}
		from = to
	}
	batch.steps, batch.flows = batch.steps[:0], batch.flows[:0]
}

// askValues has a step that ends a bin bring the values of its sender.
func (b *batch) askValues(i int) {
	step, meter := &b.steps[i], b.flows[i].values
	if meter == nil || !meter.Due(step.Event.Now) {
		return
	}
	if b.values == nil {
		b.values = make([]float64, batchSize*cc.MostValues)
	}
	step.Values = b.values[i*cc.MostValues : (i+1)*cc.MostValues]
}

// settleStep takes the decision of a step, handling it first if no batcher did.
func settleStep(n *NIC, flow *sender, step *hosting.Step) {
	change := change{none: true}
	if !flow.faulty {
		decisions := &flow.decisions
		hosting.Clear(&decisions.latest, step.Event.Kind, step.Fired)
		before := decisions.latest
		switch m := flow.values; {
		case m == nil:
		case step.Values != nil:
			m.Note(step.Event.Now, step.Values)
		case flow.batcher == nil && step.Event.Now >= m.End:
			m.Close(step.Event.Now)
		}
		if flow.batcher == nil {
			flow.algorithm.Handle(&step.Event, &decisions.latest)
		} else {
			decisions.latest = step.Decision
		}
		if !decisions.unchanged(&before) {
			if settled, ok := n.settle(flow, &before, step.Event.Kind, step.Event.Now); ok {
				change = settled
			}
		}
	}
	flow.decisions.delayed.Push(change)
}

// batcherOf returns the batcher that handles the sender's events with others', nil
// if it wants them one by one.
func batcherOf(sender cc.Sender) hosting.Batcher {
	if b, ok := sender.(hosting.Batched); ok {
		return b.Batcher()
	}
	return nil
}
