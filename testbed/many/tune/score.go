package tune

import (
	"github.com/rocelab/rocelab/emulator/result"
)

// Objective is a metric that a search makes good.
type Objective struct {
	Metric result.Metric
	// Zero is added to values before they are held against each other, so that 0 is a value
	// like others: a time, in the metric's unit, that nobody would mind. 0 for none.
	Zero float64
}

// least keeps logarithms finite where a value is 0 and nothing is added.
const least = 1e-9

// loss is a value as something that is the better the lower it is, above 0.
func (o *Objective) loss(value float64) float64 {
	value = max(value+o.Zero, least)
	if o.Metric.Better == result.Higher {
		return 1 / value
	}
	return value
}

// Score is how good a candidate is, by objective: the geometric mean over patterns and seeds of its value, as a
// multiple of that of the best candidate. 1 for the best; a known rule may be below.
type Score []float64
