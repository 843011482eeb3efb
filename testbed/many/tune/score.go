package tune

import (
	"github.com/rocelab/rocelab/emulator/result"
)

// Objective is a metric that a search makes good.
type Objective struct {
	Metric result.Metric
	// Zero is added to values before they are compared, so that 0 is a value like others: a negligible time, in the
	// metric's unit. 0 for none.
	Zero float64
}

// least keeps logarithms finite if a value is 0 and nothing is added.
const least = 1e-9

// loss is a value as something that is the better the lower it is, above 0.
func (o *Objective) loss(value float64) float64 {
	value = max(value+o.Zero, least)
	if o.Metric.Better == result.Higher {
		return 1 / value
	}
	return value
}

// score is the quality of a candidate, by objective: the geometric mean over patterns and seeds of its value, as a
// multiple of the best candidate's. 1 for the best; a known rule may be below.
type score []float64
