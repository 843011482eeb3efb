package training

import (
	"math"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

func make3(rng *chance.Stream) (k [steps]float64) {
	for i := range k {
		k[i] = 0.5 * rng.Normal()
	}
	return k
}

func made(t *testing.T, name string, seed uint64) network {
	t.Helper()
	n, err := newNetwork(name, chance.New(seed, name))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Every derivative agrees with the central difference, whose own error is of
// the order of the step squared.
func TestGradients(t *testing.T) {
	const step, allowed = 1e-5, 1e-8
	for _, name := range Names {
		t.Run(name, func(t *testing.T) {
			rng := chance.New(3, "gradients")
			n := made(t, name, 1)
			w := n.Weights()
			for i := range w { // larger than untrained ones, so that gates differ
				w[i] *= 3
			}
			for range 5 {
				k, dout := make3(rng), rng.Normal()
				grad := make([]float64, len(w))
				n.Forward(k)
				n.Backward(dout, grad)
				moved := 0
				for i := range w {
					was := w[i]
					w[i] = was + step
					up := n.Forward(k)
					w[i] = was - step
					down := n.Forward(k)
					w[i] = was
					want := dout * (up - down) / (2 * step)
					if math.Abs(grad[i]-want) > allowed*(1+math.Abs(want)) {
						t.Fatalf("%s: derivative %d of %d is %.12g, the difference says %.12g", name, i, len(w), grad[i], want)
					}
					if want != 0 {
						moved++
					}
				}
				if moved < len(w)*9/10 {
					t.Errorf("%s: only %d of %d parameters matter", name, moved, len(w))
				}
			}
		})
	}
}

// A second Backward adds to the present gradient.
func TestBackwardAdds(t *testing.T) {
	for _, name := range Names {
		t.Run(name, func(t *testing.T) {
			n := made(t, name, 1)
			once, twice := make([]float64, len(n.Weights())), make([]float64, len(n.Weights()))
			n.Forward([steps]float64{0.1, -0.2, 0.3})
			n.Backward(1, once)
			n.Backward(1, twice)
			n.Backward(1, twice)
			for i := range once {
				if math.Abs(twice[i]-2*once[i]) > 1e-14 {
					t.Fatalf("%s: derivative %d: %g twice is %g", name, i, once[i], twice[i])
				}
			}
		})
	}
}

// Sizes with one bias per gate: 16 x (16 + 1 + 1) a gate, 17 for the output.
func TestParameters(t *testing.T) {
	for name, want := range map[string]int{"lstm": 4*288 + 17, "gru": 3*288 + 17, "rnn": 288 + 17} {
		t.Run(name, func(t *testing.T) {
			if got := len(made(t, name, 1).Weights()); got != want {
				t.Errorf("%s has %d parameters, want %d", name, got, want)
			}
		})
	}
	if _, err := newNetwork("transformer", nil); err == nil ||
		err.Error() != `there is no network "transformer": allowed are lstm, gru, rnn` {
		t.Error(err)
	}
}

// The gated unit, worked out by hand for one hidden value that sees itself and
// the input with weight 1, all else 0.
func TestGRUByHand(t *testing.T) {
	g := &gru{}
	wr, wz, wn, out := g.split(g.w[:])
	for _, w := range [][]float64{wr, wz, wn} {
		w[0], w[hidden] = 1, 1
	}
	out[0], out[hidden] = 2, 0.5
	h := 0.0
	k := [steps]float64{0.4, -0.3, 0.2}
	logistic := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	for _, x := range k {
		r, z := logistic(h+x), logistic(h+x)
		n := math.Tanh(r*h + x)
		h = (1-z)*n + z*h
	}
	if got, want := g.Forward(k), 2*h+0.5; math.Abs(got-want) > 1e-14 {
		t.Errorf("%.17g, want %.17g", got, want)
	}
}

// The simple network, likewise.
func TestRNNByHand(t *testing.T) {
	n := &rnn{}
	n.w[0], n.w[hidden], n.w[hidden+1] = 0.5, 1, -0.1
	n.w[gateLen] = 2
	h := 0.0
	k := [steps]float64{0.4, -0.3, 0.2}
	for _, x := range k {
		h = math.Tanh(0.5*h + x - 0.1)
	}
	if got, want := n.Forward(k), 2*h; math.Abs(got-want) > 1e-14 {
		t.Errorf("%.17g, want %.17g", got, want)
	}
}

// Adam's first steps by algorithm 1 of its paper: with a steady gradient each is the rate, for any size of the
// gradient; by hand for a gradient that changes sign.
func TestAdam(t *testing.T) {
	a := newAdam(2, 0.001)
	w := []float64{1, -1}
	for range 3 {
		a.step(w, []float64{1000, -0.001})
	}
	if math.Abs(w[0]-0.997) > 1e-7 || math.Abs(w[1]+0.997) > 1e-7 {
		t.Error(w)
	}
	a, w = newAdam(1, 0.001), []float64{0}
	a.step(w, []float64{1})
	a.step(w, []float64{-1})
	// m = 0.9 x 0.1 - 0.1 = -0.01, over 1 - 0.81: -0.0526316; v = 0.001 x 0.999
	// + 0.001 = 0.001999, over 1 - 0.998001: 1.
	if want := -0.001 + 0.001*0.01/0.19; math.Abs(w[0]-want) > 1e-10 {
		t.Errorf("%g, want %g", w[0], want)
	}
}

// Training computes the algorithm's prediction, to the bit.
func TestForwardIsPredict(t *testing.T) {
	n := made(t, "lstm", 7).(*lstmNetwork)
	rng := chance.New(7, "inputs")
	for range 100 {
		k := make3(rng)
		if got, want := n.Forward(k), n.Predict(k); got != want {
			t.Fatalf("%v: %v in training, %v in a run", k, got, want)
		}
	}
}
