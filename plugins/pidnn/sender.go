package pidnn

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
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
	learner       *Learner // nil: the gains are those of settings
	before        float64  // the rate before the last decision
}

const (
	psPerUs    = 1e6
	bpsPerGbps = 1e9
)

func newSender(c *settings, f cc.Facts) *sender {
	s := &sender{settings: c, line: float64(f.LineRate), baseRTT: f.BaseRTT, learner: c.learner}
	s.highest = s.line
	if c.maxRate != 0 {
		s.highest = min(c.maxRate, s.line)
	}
	base := float64(f.BaseRTT)
	first := max(c.target, c.targetRTTs*base)
	s.target = target{
		at:      first,
		low:     first,
		high:    max(10*base, first),
		literal: c.literal,
		many:    c.many,
	}
	if c.literal {
		s.target.low = base
	}
	if c.learn && s.learner == nil {
		s.learner = &Learner{Gains: c.gains}
	}
	return s
}

// Handle implements cc.Sender.
func (s *sender) Handle(e *cc.Event, d *cc.Decision) {
	rtt, sampled := s.sampler.Sample(e)
	switch {
	case e.Kind == cc.EventStart:
		s.setRate(s.initialRate)
	case sampled:
		s.sample(float64(rtt))
	default:
		return
	}
	d.Rate = unit.BitRate(s.rate)
	d.Window = s.window(s.rate, s.line, s.baseRTT)
}

// sample runs the algorithm once (Table 3).
func (s *sender) sample(r float64) {
	gains := &s.gains
	if s.learner != nil {
		s.learn(r)
		gains = &s.learner.Gains
	}
	s.features.Observe(r, s.sigma)
	if s.rttch {
		s.target.observe(r)
	}
	s.outputs.observe(s.err(s.predictor.predict(&s.features, r)))
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
func (s *sender) learn(r float64) {
	if o := &s.outputs; o.n > 0 {
		s.learner.Learn(&Outcome{
			RTT:    r / psPerUs,
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
