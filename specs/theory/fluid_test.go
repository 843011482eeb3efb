package theory

import "math"

// dcqcn are DCQCN's fluid model and its parameters as in the paper: times in s, rates in packets/s.
type dcqcn struct {
	gbps float64
	// cnp is tau, the least time between two CNPs; alpha tau', the alpha timer; timer T; bytes B, in packets; steps F.
	cnp, alpha, timer, bytes, steps, ai float64
}

// paperDCQCN are the parameters of SIGCOMM 2015 on links of the given rate.
func paperDCQCN(gbps float64) *dcqcn {
	return &dcqcn{
		gbps:  gbps,
		cnp:   50e-6,
		alpha: 55e-6,
		timer: 55e-6,
		bytes: 10e6 / onWire,
		steps: 5,
		ai:    40e6 / 8 / onWire,
	}
}

// capacity is C in packets/s.
func (d *dcqcn) capacity() float64 { return d.gbps * 1e9 / 8 / onWire }

// excess is the difference of the two sides, left less right, of dR_C/dt = dR_T/dt = d alpha/dt = 0 for a flow at rate
// r whose packets are marked with probability p; it rises with p (Zhu et al., CoNEXT 2016, section 3):
//
//	a^2 alpha* / ((b + d) (c + e)) = tau^2 R_AI R
//	a = 1 - (1-p)^(tau R)          alpha* = 1 - (1-p)^(tau' R)
//	b = p / ((1-p)^-B - 1)         c = (1-p)^(F B) b
//	d = p / ((1-p)^-(T R) - 1)     e = (1-p)^(F T R) d
func (d *dcqcn) excess(p, r float64) float64 {
	not := func(n float64) float64 { return math.Exp(n * math.Log1p(-p)) }
	a, alpha := 1-not(d.cnp*r), 1-not(d.alpha*r)
	b := p / (not(-d.bytes) - 1)
	t := p / (not(-d.timer*r) - 1)
	c, e := not(d.steps*d.bytes)*b, not(d.steps*d.timer*r)*t
	return math.Log(a * a * alpha / ((b + t) * (c + e)) / (d.cnp * d.cnp * d.ai * r))
}

// marking is p* of a number of flows that share the link equally.
func (d *dcqcn) marking(flows float64) float64 {
	return solve(1e-9, 0.5, func(p float64) float64 { return d.excess(p, d.capacity()/flows) })
}

// rate is that of a flow whose packets are marked with probability p.
func (d *dcqcn) rate(p float64) float64 {
	return solve(1e-6*d.capacity(), d.capacity(), func(r float64) float64 { return d.excess(p, r) })
}

// longShare is the share of the link that a flow gets over a number of links, each with another flow that competes: the
// long flow is marked on any of them.
func (d *dcqcn) longShare(links float64) float64 {
	long := func(p float64) float64 { return d.rate(1 - math.Pow(1-p, links)) }
	p := solve(1e-7, 0.3, func(p float64) float64 { return d.capacity() - d.rate(p) - long(p) })
	return long(p) / d.capacity()
}

// renewalExcess is the loss of a flow by the cuts of a cycle, less its gain, as a share of its rate r; it rises with p.
// A cycle goes from a CNP to the next: for tau none can come, then one comes with rate p r, so that it lasts beyond x
// with probability S(x) = min(1, exp(-p r (x - tau))). Of the cycle's K timer stages the first F - 1 halve the gap
// between R_C and R_T, and the others raise R_T by R_AI, too. With R0 before the cut, j = max(0, K - F + 1) and without
// the byte counter, which is far longer than a cycle:
//
//	R_T = R0 + R_AI j        R_T - R_C = R0 alpha/2 2^-K + R_AI (1 - 2^-j)
//	E[R_C at the end] = R0:  R0 alpha/2 E[2^-K] = R_AI E[j - 1 + 2^-j]
//	alpha = 1 / (1 + E[periods of the alpha timer in a cycle])
//
// R0 follows from r, the mean over the cycle. Differs from the fluid model, in which any mark restarts the timers, also
// within tau of a CNP, and CNPs come with probability 1 - (1-p)^(tau r) in each tau.
func (d *dcqcn) renewalExcess(p, r float64) float64 {
	lambda := p * r
	beyond := func(x float64) float64 { return math.Min(1, math.Exp(-lambda*(x-d.cnp))) }
	// until is the integral of S from 0 to x.
	until := func(x float64) float64 {
		if x <= d.cnp {
			return x
		}
		return d.cnp + (1-beyond(x))/lambda
	}
	periods := 0.0
	for k := 1.0; beyond(k*d.alpha) > 1e-12; k++ {
		periods += beyond(k * d.alpha)
	}
	alpha := 1 / (1 + periods)
	cut, gain, timeCut, timeGain := 0.0, 0.0, 0.0, 0.0
	for k := 0.0; beyond(k*d.timer) > 1e-12; k++ {
		j := math.Max(0, k-d.steps+1)
		left := math.Exp2(-k)
		up := j - 1 + math.Exp2(-j)
		chance := beyond(k*d.timer) - beyond((k+1)*d.timer)
		time := until((k+1)*d.timer) - until(k*d.timer)
		cut, gain = cut+chance*left, gain+chance*up
		timeCut, timeGain = timeCut+time*left, timeGain+time*up
	}
	cycle := d.cnp + 1/lambda
	before := (r*cycle - d.ai*timeGain) / (cycle - alpha/2*timeCut)
	return (before*alpha/2*cut - d.ai*gain) / r
}
