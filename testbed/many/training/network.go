package training

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// network is a predictor in training: it maps the features K_{t-2}, K_{t-1},
// K_t of a flow to an estimate of L_t.
type network interface {
	// Name is the word that --network knows it by.
	Name() string
	// Weights are the parameters. Who trains changes them in place.
	Weights() []float64
	// Forward returns the estimate, and keeps what Backward needs.
	Forward(k [steps]float64) float64
	// Backward adds the derivatives of the last estimate by the parameters,
	// times dout, to grad: backpropagation through the three time steps.
	Backward(dout float64, grad []float64)
}

// Names are the networks that can be trained, in the order of the thesis
// (section 3.4.1).
var Names = []string{"lstm", "gru", "rnn"}

// newNetwork returns an untrained network. Every parameter is uniform in
// [-1/sqrt(Hidden), 1/sqrt(Hidden)], as PyTorch, which the thesis used, begins
// its recurrent layers and, for this width, its linear ones.
func newNetwork(name string, rng *chance.Stream) (network, error) {
	var n network
	switch name {
	case "lstm":
		n = &lstmNetwork{}
	case "gru":
		n = &gru{}
	case "rnn":
		n = &rnn{}
	default:
		return nil, fmt.Errorf("there is no network %q: allowed are %s", name, strings.Join(Names, ", "))
	}
	const bound = 0.25 // 1/sqrt(16)
	w := n.Weights()
	for i := range w {
		w[i] = bound * (float64(2*rng.Float64()) - 1)
	}
	return n, nil
}
