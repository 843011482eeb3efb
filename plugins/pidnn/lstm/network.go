package lstm

import "github.com/rocelab/rocelab/plugins/cc/elementary"

// The shape of the network.
const (
	// Hidden is the number of hidden units (thesis, section 3.4.1: 16).
	Hidden = 16
	// Steps is the number of inputs (thesis, section 3.4.1: three K).
	Steps = 3

	// Row is the length of the weights of one gate of one unit: one for each of the 16
	// components of h_(t-1), one for x_t, the bias.
	Row = Hidden + 2
	// Output is where the linear layer begins: 16 weights, then the bias.
	Output = Gates * Hidden * Row
	// Parameters is the number of all: 4 x 16 x 18 + 17 = 1169.
	Parameters = Output + Hidden + 1
)

// The gates in the order of the parameters.
const (
	Forget    = iota // f, equation 4
	Input            // i, equation 5
	Candidate        // C~, equation 6
	Out              // o, equation 7
	Gates
)

// Network is the predictor's parameters.
type Network struct {
	// W holds, for each gate in the order f, i, C~, o and for each unit, a row:
	// the weights of h_(t-1), the weight of x_t, the bias. The weights w of the
	// linear layer and its bias follow. See Index for the places.
	W [Parameters]float64
}

// Index returns where the row of a unit's gate begins. Range: gate from Forget to
// Out, unit from 0 to Hidden-1.
func Index(gate, unit int) int { return (gate*Hidden + unit) * Row }

// Step has the values of one step of a run, for training.
type Step struct {
	// F, I, C1 and O are the gates' results (C1 the candidate C~), C the cell
	// state, TanhC its tanh, H the hidden state.
	F, I, C1, O, C, TanhC, H [Hidden]float64
}

// Trace has the values of a run, step by step.
type Trace [Steps]Step

// Predict returns the network's output, the predicted L_t, for K_(t-2), K_(t-1)
// and K_t.
func (n *Network) Predict(k [Steps]float64) float64 {
	var t Trace
	return n.Forward(&k, &t)
}

// Forward is Predict and fills in the trace, which it overwrites completely.
//
//	out = w h_3 + b
func (n *Network) Forward(k *[Steps]float64, t *Trace) float64 {
	n.first(k[0], &t[0])
	for i := 1; i < Steps; i++ {
		n.step(k[i], &t[i-1], &t[i])
	}
	w := (*[Hidden + 1]float64)(n.W[Output:])
	out := w[Hidden]
	for j, h := range t[Steps-1].H {
		out += float64(w[j] * h)
	}
	return out
}

// step is equations 4 to 8 after a step before.
func (n *Network) step(x float64, before, s *Step) {
	for u := range Hidden {
		f, i := n.row(Forget, u), n.row(Input, u)
		c, o := n.row(Candidate, u), n.row(Out, u)
		// W [h_(t-1), x_t] + b of the four gates beside each other, each summed
		// in the order b, x, h[0] to h[15].
		fs, is := f[Hidden+1]+float64(f[Hidden]*x), i[Hidden+1]+float64(i[Hidden]*x)
		cs, os := c[Hidden+1]+float64(c[Hidden]*x), o[Hidden+1]+float64(o[Hidden]*x)
		for j, h := range &before.H {
			fs += float64(f[j] * h)
			is += float64(i[j] * h)
			cs += float64(c[j] * h)
			os += float64(o[j] * h)
		}
		s.unit(u, before.C[u], fs, is, cs, os)
	}
}

// first is step with h_(t-1) and C_(t-1) of zero.
func (n *Network) first(x float64, s *Step) {
	for u := range Hidden {
		f, i := n.row(Forget, u), n.row(Input, u)
		c, o := n.row(Candidate, u), n.row(Out, u)
		s.unit(u, 0, f[Hidden+1]+float64(f[Hidden]*x), i[Hidden+1]+float64(i[Hidden]*x),
			c[Hidden+1]+float64(c[Hidden]*x), o[Hidden+1]+float64(o[Hidden]*x))
	}
}

func (n *Network) row(gate, unit int) *[Row]float64 {
	return (*[Row]float64)(n.W[Index(gate, unit):])
}

// unit finishes a unit of a step from the sums of its gates.
//
//	f = sigma(.), i = sigma(.), C~ = tanh(.), o = sigma(.)   equations 4 to 7
//	C_t = f C_(t-1) + i C~,  h_t = o tanh(C_t)               equation 8
func (s *Step) unit(u int, before, f, i, c, o float64) {
	f, i = elementary.Sigmoid(f), elementary.Sigmoid(i)
	c, o = elementary.Tanh(c), elementary.Sigmoid(o)
	cell := float64(f*before) + float64(i*c)
	tanh := elementary.Tanh(cell)
	s.F[u], s.I[u], s.C1[u], s.O[u] = f, i, c, o
	s.C[u], s.TanhC[u], s.H[u] = cell, tanh, float64(o*tanh)
}
