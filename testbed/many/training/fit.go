package training

import (
	"context"

	"github.com/rocelab/rocelab/plugins/cc/chance"
)

// Fitting has the settings for training a network.
type Fitting struct {
	// Epochs is the number of draws of pairs; Train and Test are the numbers of pairs, each time, to train with and to
	// test. Range: at least 1; Train and Test at least 4, one of each bin. Default 19, 800, 200 (thesis, section
	// 3.4.2).
	Epochs, Train, Test int
	// Batch is the number of pairs whose mean gradient makes one step; the
	// thesis does not say it. Range: 1 to Train. Default 1: with
	// 800 pairs an epoch there are few steps otherwise, and 32 leaves the
	// networks half trained after 19 epochs.
	Batch int
	// Rate is Adam's step size; the thesis names the rate 0.001 and no
	// optimiser. Range: above 0, at most 1. Default 0.001.
	Rate float64
}

// Epoch is one row of the loss curve: the pairs of the epoch's draw during training, and the pairs of its test draw
// after it.
type Epoch struct {
	Number int   `json:"epoch"`
	Train  Score `json:"train"`
	Test   Score `json:"test"`
}

// fit trains n. It changes the order of the pairs.
func fit(ctx context.Context, n network, train, test []pair, o Fitting, rng *chance.Stream) ([]Epoch, error) {
	w := n.Weights()
	grad := make([]float64, len(w))
	optimiser := newAdam(len(w), o.Rate)
	var curve []Epoch
	for number := 1; number <= o.Epochs; number++ {
		draw(train, o.Train, rng)
		var t tally
		for rest := train[:o.Train]; len(rest) > 0; {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			size := min(o.Batch, len(rest))
			descend(n, rest[:size], grad, &t)
			optimiser.step(w, grad)
			rest = rest[size:]
		}
		draw(test, o.Test, rng)
		curve = append(curve, Epoch{number, t.score(), score(test[:o.Test], n.Forward)})
	}
	return curve, nil
}

// descend puts the gradient of a batch's loss into grad. The derivative of |out - L| is the sign of out - L, and 0 if
// there is none.
func descend(n network, batch []pair, grad []float64, t *tally) {
	clear(grad)
	share := 1 / float64(len(batch))
	for i := range batch {
		p := &batch[i]
		out := n.Forward(p.K)
		t.add(out, p)
		switch {
		case out > p.L:
			n.Backward(share, grad)
		case out < p.L:
			n.Backward(-share, grad)
		}
	}
}
