package pidnn

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sender is a flow. Times are in ps, rates in bit/s.
type sender struct {
	*settings
	line, highest float64
	baseRTT       unit.Duration
	sampler       Sampler
	features      Features
	target        target
	outputs       outputs
	rate          float64
	learner       *Learner // nil: the gains are the settings'
	before        float64  // the rate before the last decision
	predicted     float64  // the last prediction
}

const (
	psPerUs    = 1e6
	bpsPerGbps = 1e9
)

func newSender(settings *settings, facts cc.Facts) *sender {
	sender := &sender{settings: settings, line: float64(facts.LineRate), baseRTT: facts.BaseRTT, learner: settings.learner}
	sender.highest = sender.line
	if settings.maxRate != 0 {
		sender.highest = min(settings.maxRate, sender.line)
	}
	base := float64(facts.BaseRTT)
	first := max(settings.target, settings.targetRTTs*base)
	sender.target = target{
		at:      first,
		low:     first,
		high:    max(10*base, first),
		literal: settings.literal,
		many:    settings.many,
	}
	if settings.literal {
		sender.target.low = base
	}
	if settings.learn && sender.learner == nil {
		sender.learner = &Learner{Gains: settings.gains}
	}
	return sender
}

// Handle implements cc.Sender.
func (s *sender) Handle(event *cc.Event, decision *cc.Decision) {
	rtt, sampled := s.sampler.Sample(event)
	switch {
	case event.Kind == cc.EventStart:
		s.setRate(s.initialRate)
	case sampled:
		s.sample(float64(rtt))
	default:
		return
	}
	decision.Rate = unit.Whole[unit.BitRate](s.rate)
	decision.Window = s.window(s.rate, s.line, s.baseRTT)
}

// sample runs the algorithm once (Table 3).
func (s *sender) sample(rtt float64) {
	gains := &s.gains
	if s.learner != nil {
		s.learn(rtt)
		gains = &s.learner.Gains
	}
	s.features.Observe(rtt, s.sigma)
	if s.rttch {
		s.target.observe(rtt)
	}
	s.predicted = s.predictor.predict(&s.features, rtt)
	s.outputs.observe(s.err(s.predicted))
	s.before = s.rate
	// rate(t) = rate(t-1) (1 + delta), equation 19
	s.setRate(s.rate * (1 + s.outputs.delta(gains, s.deltaMin, s.deltaMax)))
}

// err is e(t) = (RTTpred - target)/target, equation 14; with e_norm off
// RTTpred - target in us, Table 3.
func (s *sender) err(predicted float64) float64 {
	e := predicted - s.target.at
	if s.normed {
		return e / s.target.at
	}
	return e / psPerUs
}

// learn takes the sample for the outcome of the last decision. There is none
// before the first.
func (s *sender) learn(rtt float64) {
	if o := &s.outputs; o.n > 0 {
		s.learner.Learn(&Outcome{
			RTT:    rtt / psPerUs,
			Target: s.target.at / psPerUs,
			Rate:   s.before / bpsPerGbps,
			P:      o.p,
			I:      o.i,
			D:      o.d,
		})
	}
}

// setRate keeps the rate between min_rate and max_rate, and below the line rate.
func (s *sender) setRate(rate float64) {
	if !(rate > s.minRate) {
		rate = s.minRate
	}
	s.rate = min(rate, s.highest)
}
