package training

import "github.com/rocelab/rocelab/plugins/cc/elementary"

// adam is the optimiser of Kingma and Ba, "Adam: A Method for Stochastic
// Optimization", ICLR 2015, algorithm 1, with the paper's constants but for
// the step size:
//
//	m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2
//	w -= rate (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon)
type adam struct {
	rate float64
	m, v []float64
	// power1 and power2 are beta1^t and beta2^t.
	power1, power2 float64
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

func newAdam(parameters int, rate float64) *adam {
	return &adam{
		rate:   rate,
		m:      make([]float64, parameters),
		v:      make([]float64, parameters),
		power1: 1,
		power2: 1,
	}
}

// step moves w down the gradient g.
func (a *adam) step(w, g []float64) {
	a.power1 *= beta1
	a.power2 *= beta2
	for i, slope := range g {
		a.m[i] = float64(beta1*a.m[i]) + float64((1-beta1)*slope)
		a.v[i] = float64(beta2*a.v[i]) + float64((1-beta2)*slope*slope)
		m, v := a.m[i]/(1-a.power1), a.v[i]/(1-a.power2)
		w[i] -= a.rate * m / (elementary.Sqrt(v) + epsilon)
	}
}
