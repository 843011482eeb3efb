package hpcc

import "math"

// Values implements cc.Valued.
func (w *window) Values(into []float64) { into[0], into[1], into[2] = w.u, w.wc, math.NaN() }

// Values implements cc.Valued.
func (r *rate) Values(into []float64) {
	u, rc := r.one.u, r.one.rc
	if r.multi {
		u, rc = r.each[0].u, r.each[0].rc
		for i := range r.each {
			u, rc = max(u, r.each[i].u), min(rc, r.each[i].rc)
		}
	}
	into[0], into[1], into[2] = u, math.NaN(), rc/1e9
}
