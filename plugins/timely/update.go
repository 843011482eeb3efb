package timely

// gradient is the RTT as it changes, in ps.
type gradient struct {
	prevRTT, rttDiff float64
	sampled          bool
	// falls is how many samples in a row were below the one before.
	falls int
}

// take is the head of Algorithm 1:
//
//	new_rtt_diff = new_rtt - prev_rtt
//	prev_rtt = new_rtt
//	rtt_diff = (1 - alpha) rtt_diff + alpha new_rtt_diff
//
// The first sample has no predecessor and only becomes one: take then reports
// false.
func (g *gradient) take(rtt, alpha float64) bool {
	newDiff := rtt - g.prevRTT
	g.prevRTT = rtt
	if !g.sampled {
		g.sampled = true
		return false
	}
	g.rttDiff = float64((1-alpha)*g.rttDiff) + float64(alpha*newDiff)
	if newDiff < 0 {
		g.falls++
	} else {
		g.falls = 0
	}
	return true
}

// update takes an RTT sample in ps and reports whether it set the rate:
//
//	normalized_gradient = rtt_diff / D_minRTT
//	new_rtt < T_low:   rate + delta
//	new_rtt > T_high:  rate (1 - beta (1 - T_high/new_rtt))
//	else:              original or patched
func (s *sender) update(rtt float64) bool {
	if !s.take(rtt, s.alpha) {
		return false
	}
	gradient := s.rttDiff / s.dMinRTT
	switch {
	case rtt < s.tLow:
		s.increase(s.countGradients)
	case rtt > s.tHigh:
		s.decrease(1 - float64(s.betaHigh*(1-s.tHigh/rtt)))
	case s.patched:
		s.patch(gradient, rtt)
	case gradient <= 0:
		s.increase(false)
	default:
		s.decrease(max(1-float64(s.beta*gradient), s.gradientFloor))
	}
	return true
}

// increase adds N delta, of which plain allows 1 only (Algorithm 1; see
// parameter hai_stage).
func (s *sender) increase(plain bool) {
	step := s.delta
	switch {
	case plain || s.patched:
	case s.countGradients && s.falls >= s.haiThreshold, !s.countGradients && s.haiCount >= s.haiThreshold:
		step = s.hai
	}
	s.haiCount++
	s.setRate(s.rate + step)
}

func (s *sender) decrease(share float64) {
	s.haiCount = 0
	s.setRate(s.rate * share)
}

// patch is the band of Algorithm 2 of CoNEXT 2016:
//
//	weight = w(gradient)
//	error = (new_rtt - RTT_ref) / RTT_ref
//	rate = delta (1 - weight) + rate (1 - beta weight error)
func (s *sender) patch(gradient, rtt float64) {
	w := weight(gradient)
	err := (rtt - s.rttRef) / s.rttRef
	s.setRate(float64(s.delta*(1-w)) + float64(s.rate*(1-float64(s.beta*float64(w*err)))))
}

// weight is w(g) of CoNEXT 2016: 0 up to g = -1/4, 1 from 1/4, 2g + 1/2 between.
func weight(gradient float64) float64 {
	return min(max(float64(2*gradient)+0.5, 0), 1)
}
