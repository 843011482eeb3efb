package training

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// lagged makes pairs whose label follows from their features.
func lagged(n int, seed uint64) []pair {
	rng := chance.New(seed, "lagged")
	pairs := make([]pair, n)
	for i := range pairs {
		k := make3(rng)
		pairs[i] = pair{k, max(0.6*k[2]-0.3*k[1]+0.1*k[0], -0.9)}
	}
	return pairs
}

var short = Fitting{
	Epochs: 8,
	Train:  800,
	Test:   200,
	Batch:  4,
	Rate:   0.003,
}

// What can be learnt is learnt: after eight epochs the loss is a quarter of
// what the best that knows nothing has; with labels of other pairs it is not.
func TestFitLearns(t *testing.T) {
	for _, name := range Names {
		t.Run(name, func(t *testing.T) {
			train, test := lagged(2000, 1), lagged(500, 2)
			naive := score(test, average)
			curve, err := fit(context.Background(), made(t, name, 1), train, test, short, chance.New(1, "draw"))
			if err != nil || len(curve) != short.Epochs {
				t.Fatal(err)
			}
			if last := curve[short.Epochs-1].Test; last.Loss > naive.Loss/4 {
				t.Errorf("%s: loss %.4f after training, %.4f of out = 0", name, last.Loss, naive.Loss)
			}
			draw(train, len(train), chance.New(1, "other labels"))
			for i := range train {
				train[i].L = train[(i+1)%len(train)].L
			}
			curve, err = fit(context.Background(), made(t, name, 1), train, test, short, chance.New(1, "draw"))
			if err != nil {
				t.Fatal(err)
			}
			if last := curve[short.Epochs-1].Test; last.Loss < naive.Loss/2 {
				t.Errorf("%s: loss %.4f with shuffled labels, %.4f of out = 0", name, last.Loss, naive.Loss)
			}
		})
	}
}

func TestFitRepeats(t *testing.T) {
	weights := func(seed uint64) []float64 {
		n := made(t, "lstm", 1)
		if _, err := fit(context.Background(), n, lagged(900, 1), lagged(200, 2), short,
			chance.New(seed, "draw")); err != nil {
			t.Fatal(err)
		}
		return n.Weights()
	}
	if first := weights(1); !slices.Equal(first, weights(1)) {
		t.Error("two trainings of one seed differ")
	} else if slices.Equal(first, weights(2)) {
		t.Error("two seeds gave the same weights")
	}
}

func TestFitStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fit(ctx, made(t, "rnn", 1), lagged(900, 1), lagged(200, 2), short, chance.New(1, "draw")); !errors.Is(
		err, context.Canceled) {
		t.Error(err)
	}
}

// A batch's gradient is the mean of the signs' (equation 11), by hand for one
// that has a pair above, a pair below and a pair hit exactly.
func TestDescend(t *testing.T) {
	n := made(t, "rnn", 1)
	k := [3][steps]float64{{0.1, 0.2, 0.3}, {-0.4, 0.2, 0.1}, {0.5, 0.5, 0.5}}
	batch := []pair{{k[0], n.Forward(k[0]) - 0.5}, {k[1], n.Forward(k[1]) + 0.25}, {k[2], n.Forward(k[2])}}
	got, want := make([]float64, len(n.Weights())), make([]float64, len(n.Weights()))
	var sum tally
	descend(n, batch, got, &sum)
	n.Forward(k[0])
	n.Backward(1/3.0, want)
	n.Forward(k[1])
	n.Backward(-1/3.0, want)
	if !slices.Equal(got, want) {
		t.Error("another gradient")
	}
	if s := sum.score(); s.Loss < 0.2499999 || s.Loss > 0.2500001 {
		t.Errorf("loss %g, want (0.5 + 0.25 + 0) / 3", s.Loss)
	}
}
