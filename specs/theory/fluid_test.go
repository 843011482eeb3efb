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

// excess is what dR_C/dt = dR_T/dt = d alpha/dt = 0 leave of a flow at rate r whose packets are marked with
// probability p, the left side less the right one; it rises with p (Zhu et al., CoNEXT 2016, equation 11):
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

// marking is p* of so many flows that share the link equally.
func (d *dcqcn) marking(flows float64) float64 {
	return solve(1e-9, 0.5, func(p float64) float64 { return d.excess(p, d.capacity()/flows) })
}

// rate is that of a flow whose packets are marked with probability p.
func (d *dcqcn) rate(p float64) float64 {
	return solve(1e-6*d.capacity(), d.capacity(), func(r float64) float64 { return d.excess(p, r) })
}

// longShare is the share of the link that a flow gets over so many links, on each of which another flow competes: the
// long flow is marked on any of them.
func (d *dcqcn) longShare(links float64) float64 {
	long := func(p float64) float64 { return d.rate(1 - math.Pow(1-p, links)) }
	p := solve(1e-7, 0.3, func(p float64) float64 { return d.capacity() - d.rate(p) - long(p) })
	return long(p) / d.capacity()
}
