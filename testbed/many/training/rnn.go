package training

// rnn is the simple recurrent network (Elman, "Finding Structure in Time",
// 1990) of the thesis's comparison:
//
//	h_t = tanh(W [h_{t-1}, x_t] + b),  out = w h_3 + b'
type rnn struct {
	w [gateLen + headLen]float64
	// What the last Forward computed: h before each step and after the last.
	x [steps]float64
	h [steps + 1]state
}

func (n *rnn) Name() string       { return "rnn" }
func (n *rnn) Weights() []float64 { return n.w[:] }

func (n *rnn) Forward(k [steps]float64) float64 {
	n.x = k
	for t, x := range k {
		n.h[t+1] = tanhs(affine(n.w[:gateLen], &n.h[t], x))
	}
	return head(n.w[gateLen:], &n.h[steps])
}

func (n *rnn) Backward(dout float64, grad []float64) {
	dh := headBack(n.w[gateLen:], grad[gateLen:], &n.h[steps], dout)
	for t := steps - 1; t >= 0; t-- {
		var dz, before state
		for j, y := range n.h[t+1] {
			dz[j] = dh[j] * tanhSlope(y)
		}
		affineBack(n.w[:gateLen], grad[:gateLen], &n.h[t], n.x[t], &dz, &before)
		dh = before
	}
}
