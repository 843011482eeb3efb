//go:build linux && !mem

package process

import (
	"math"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// asked is a question that was posted, and the place of its answer: one of decision, feedback and values is set. Until
// then the caller does not touch any of them.
type asked struct {
	message  uint64
	decision *cc.Decision
	feedback *cc.Feedback
	values   []float64
}

// take takes the answer.
func (a *asked) take(slot *ring.Slot) {
	switch {
	case a.decision != nil:
		*a.decision = *slot.Decision()
	case a.feedback != nil:
		*a.feedback = *slot.Feedback()
	default:
		copy(a.values, slot.Values()[:])
	}
}

// refuse is the answer of a broken plugin.
func (a *asked) refuse() {
	switch {
	case a.decision != nil:
		a.decision.Rate = 0
	case a.feedback != nil:
		a.feedback.BaseRate = -1
	default:
		for i := range a.values {
			a.values[i] = math.NaN()
		}
	}
}

// Ask has an event handled without waiting for it: the decision is there once Exchange
// returns, and the sender's values before the event, unless values is nil. Before that
// the sender must not be asked again.
func (s *sender) Ask(event *cc.Event, decision *cc.Decision, values []float64) {
	s.plugin.mu.Lock()
	if values != nil {
		s.askValues(values)
	}
	s.ask(event, decision)
	s.plugin.mu.Unlock()
}

// askValues asks for the sender's values. The caller holds mu.
func (s *sender) askValues(values []float64) {
	to := asked{values: values}
	to.refuse()
	if len(s.plugin.description.Values) == 0 {
		return
	}
	if s.plugin.post(question{verb: ring.VerbValues, of: s.of}) != nil {
		await(s.plugin, to)
	}
}

// ask is Ask. The caller holds mu.
func (s *sender) ask(event *cc.Event, decision *cc.Decision) {
	plugin, to := s.plugin, asked{decision: decision}
	m := plugin.post(question{ring.VerbHandle, s.of, event.Kind, event.Now})
	if m == nil {
		to.refuse()
		return
	}
	m.Fired = noWake
	*m.Event(), *m.Decision() = *event, *decision
	await(plugin, to)
}

// Exchange returns when all that was asked of the plugin is answered.
func (s *sender) Exchange() { exchangeAll(s.plugin) }

// Ask has a data packet handled without waiting for it: the feedback is there once
// Exchange returns. Before that the receiver must not be asked again.
func (r *receiver) Ask(arrival *cc.Arrival, feedback *cc.Feedback) {
	r.plugin.mu.Lock()
	r.ask(arrival, feedback)
	r.plugin.mu.Unlock()
}

// ask is Ask. The caller holds mu.
func (r *receiver) ask(arrival *cc.Arrival, feedback *cc.Feedback) {
	plugin, to := r.plugin, asked{feedback: feedback}
	m := plugin.post(question{verb: ring.VerbData, of: r.of, now: arrival.Now})
	if m == nil {
		to.refuse()
		return
	}
	*m.Arrival(), *m.Feedback() = *arrival, *feedback
	await(plugin, to)
}

// Exchange returns when all that was asked of the plugin is answered.
func (r *receiver) Exchange() { exchangeAll(r.plugin) }

// await notes who gets the answer to the message that was posted last.
func await(p *Plugin, to asked) {
	to.message = p.link.posted - 1
	p.asked = append(p.asked, to)
}

func exchangeAll(p *Plugin) {
	p.mu.Lock()
	exchangeAsked(p)
	p.mu.Unlock()
}

// exchangeAsked makes the plugin answer the open questions, if there are any. The caller holds mu.
func exchangeAsked(p *Plugin) {
	if len(p.asked) > 0 {
		p.exchange()
	}
}

// giveAnswers gives the answers to those who asked, after an exchange: that of a plugin which broke down
// meanwhile has some of them.
func giveAnswers(p *Plugin) {
	for i := range p.asked {
		a := &p.asked[i]
		if a.message < p.link.reached {
			a.take(&p.link.page.Slots[a.message%ring.Slots])
		} else {
			a.refuse()
		}
	}
	clear(p.asked)
	p.asked = p.asked[:0]
}
