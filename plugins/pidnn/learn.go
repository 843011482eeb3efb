package pidnn

import "github.com/rocelab/rocelab/plugins/cc/elementary"

// Learner tunes gains online (thesis, section 3.5.2).
type Learner struct {
	Gains
	// Steps counts the updates so far, t of equation 26.
	Steps int
}

// Outcome is the result of a decision.
type Outcome struct {
	// RTT is the first sample after the decision, rtt(t+1), and Target what it
	// was to be, both in us.
	RTT, Target float64
	// Rate is the rate before the decision, rate(t-1), in Gb/s.
	Rate float64
	// P, I and D are the parts of the PID that it was made of.
	P, I, D float64
}

const (
	// beta takes the place of drtt/drate, which cannot be measured (thesis, below
	// equation 24: a constant near 1).
	beta = 1
	// steepest bounds each component of the gradient, so that the first,
	// turbulent samples cannot spoil the gains (thesis, section 3.5.2).
	steepest = 0.1
	// firstRate is mu(0) of equation 26.
	firstRate = 0.01
)

// Learn takes a step against the gradient of J(t) = (rtt(t+1) - target)^2 / 2
// (equation 21):
//
//	dJ/dw = (rtt(t+1) - target) beta rate(t-1) out_w   equations 22 to 24
//	w -= mu(t) dJ/dw, dJ/dw kept within +-0.1          equation 25
//	mu(t) = 0.01/sqrt(t+1)                             equation 26
//
// Error and out_p mostly have the same sign, so that Kp falls with nearly every
// step and comes to rest only because mu does.
func (l *Learner) Learn(outcome *Outcome) {
	common := (outcome.RTT - outcome.Target) * beta * outcome.Rate
	mu := firstRate / elementary.Sqrt(float64(l.Steps)+1)
	l.Kp -= float64(mu * gradient(common*outcome.P))
	l.Ki -= float64(mu * gradient(common*outcome.I))
	l.Kd -= float64(mu * gradient(common*outcome.D))
	l.Steps++
}

// gradient keeps a component within its bounds; NaN becomes 0.
func gradient(component float64) float64 {
	if component != component {
		return 0
	}
	return min(max(component, -steepest), steepest)
}
