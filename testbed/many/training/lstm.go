package training

import "github.com/rocelab/rocelab/plugins/pidnn/lstm"

// lstmNetwork is the long short-term memory. Its forward pass is the algorithm's own, so that the trained network is
// the one that will run, to the bit.
type lstmNetwork struct {
	lstm.Network
	x     [steps]float64
	trace lstm.Trace
}

func (n *lstmNetwork) Name() string       { return "lstm" }
func (n *lstmNetwork) Weights() []float64 { return n.W[:] }

func (n *lstmNetwork) Forward(k [steps]float64) float64 {
	n.x = k
	return n.Network.Forward(&n.x, &n.trace)
}

// Backward goes back through equations 8 to 4 of the thesis, step by step.
// With d for the derivative of the output,
//
//	do = dh tanh(C),  dC = dC' + dh o (1 - tanh(C)^2)
//	df = dC C_{t-1},  di = dC C~,  dC~ = dC i,  dC_{t-1} = dC f
//
// with dC' from the step after; each gate's share is taken through its sigmoid or tanh and its row of weights.
func (n *lstmNetwork) Backward(dout float64, grad []float64) {
	var dc state
	dh := headBack(n.W[lstm.Output:], grad[lstm.Output:], (*state)(&n.trace[steps-1].H), dout)
	for t := steps - 1; t >= 0; t-- {
		var h, c state // zero before the first step
		if t > 0 {
			h, c = n.trace[t-1].H, n.trace[t-1].C
		}
		s := &n.trace[t]
		var d [lstm.Gates]state
		for j := range dh {
			cell := dc[j] + float64(dh[j]*s.O[j]*tanhSlope(s.TanhC[j]))
			d[lstm.Forget][j] = cell * c[j] * sigmoidSlope(s.F[j])
			d[lstm.Input][j] = cell * s.C1[j] * sigmoidSlope(s.I[j])
			d[lstm.Candidate][j] = cell * s.I[j] * tanhSlope(s.C1[j])
			d[lstm.Out][j] = dh[j] * s.TanhC[j] * sigmoidSlope(s.O[j])
			dc[j] = cell * s.F[j]
		}
		before := state{}
		for gate := range d {
			from := lstm.Index(gate, 0)
			affineBack(n.W[from:from+gateLen], grad[from:from+gateLen], &h, n.x[t], &d[gate], &before)
		}
		dh = before
	}
}
