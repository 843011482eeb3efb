package pidnn

// Gains are the weights of the three parts of the PID.
type Gains struct{ Kp, Ki, Kd float64 }

// outputs are out_p, out_i and out_d of a flow's errors so far. The zero value has
// seen none.
type outputs struct {
	p, i, d float64
	sum     float64
	n       int
}

// observe takes in the error e(t):
//
//	out_p = e(t)                      equation 16
//	out_i = 1/T times the integral    equation 17, the mean over all samples
//	out_d = e(t) - e(t-1)             equation 18, 0 at the first
//
// The thesis calls out_i a long-time mean and leaves its length open; it is the
// flow's life.
func (o *outputs) observe(e float64) {
	if o.n > 0 {
		o.d = e - o.p
	}
	o.p = e
	o.sum += e
	o.n++
	o.i = o.sum / float64(o.n)
}

// delta is the PID's answer:
//
//	delta = Kp out_p + Ki out_i + Kd out_d   equation 15
//
// kept from low to high (equation 20). NaN counts as low.
func (o *outputs) delta(gains *Gains, low, high float64) float64 {
	delta := float64(gains.Kp*o.p) + float64(gains.Ki*o.i) + float64(gains.Kd*o.d)
	if !(delta > low) {
		return low
	}
	return min(delta, high)
}
