package pidnn

import (
	"math"

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

// Values implements cc.Valued.
func (s *sender) Values(into []float64) {
	gains := &s.gains
	if s.learner != nil {
		gains = &s.learner.Gains
	}
	into[0] = s.predicted / psPerUs
	if s.outputs.n == 0 {
		into[0] = math.NaN()
	}
	into[1] = s.target.at / psPerUs
	into[2], into[3], into[4] = gains.Kp, gains.Ki, gains.Kd
}

// window returns the bytes that may be in flight at a rate (+WIN; thesis, section 4.4.2, after Li et al., HPCC, SIGCOMM
// 2019, which gives such a window to algorithms that only decide a rate):
//
//	inflight <= Winit rate/line
//
// in bytes of payload, at least 1: a window below one packet lets one packet out
// at a time.
func (c *settings) window(rate, line float64, baseRTT unit.Duration) unit.Bytes {
	if !c.windowed {
		return 0
	}
	winit := c.winit
	if winit == 0 {
		winit = line * float64(baseRTT) / psPerByte
	}
	return max(unit.Whole[unit.Bytes](winit*(rate/line)), 1)
}

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12

// Sampler takes one RTT sample at a time (thesis, section 3.2, Figure 6): the
// first packet sent after the ACK of the last sample is marked, and its ACK gives
// the next sample. So the algorithm runs once a round trip, whatever the rate.
//
// A marked packet that was sent twice does not give a sample, since go-back-N cannot tell which of the two was
// acknowledged; the next packet sent is marked instead.
//
// The zero value waits for the ACK of the first packet.
type Sampler struct {
	acked  unit.Bytes // payload acknowledged so far
	marked unit.Bytes // where the marked packet begins
}

// Sample takes in an event, of any kind, and returns the RTT if it is the ACK of
// the marked packet (equation 1, with T2 - T1 = 0).
func (s *Sampler) Sample(event *cc.Event) (rtt unit.Duration, ok bool) {
	s.acked += event.Acked
	if event.Kind != cc.EventAck || s.acked <= s.marked {
		return 0, false
	}
	s.marked = s.acked + event.Inflight
	return event.RTT, event.RTT > 0
}
