package result

import (
	"math"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
)

// waits is how long frames waited at the ports of each tier, NaN where there is no port.
type waits [plan.NumTiers]float64

func newWaits() (w waits) {
	for tier := range w {
		w[tier] = math.NaN()
	}
	return w
}

// add counts what waited at a queue of a port that leads to a tier.
func (w *waits) add(tier plan.Tier, wait *record.Histogram) {
	if math.IsNaN(w[tier]) {
		w[tier] = 0
	}
	w[tier] += wait.Total()
}

// shares returns each tier's share of the whole, NaN for all where nothing waited.
func (w *waits) shares() (shares [plan.NumTiers]float64) {
	total := 0.0
	for _, t := range w {
		if !math.IsNaN(t) {
			total += t
		}
	}
	for tier, t := range w {
		if shares[tier] = math.NaN(); total > 0 {
			shares[tier] = t / total
		}
	}
	return shares
}
