package tune

import (
	"math"

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

// Score is how good a candidate is, by objective: the geometric mean over patterns of its
// value, as a multiple of the best candidate's mean. 1 for the best.
type Score []float64

// scores works the scores out of values by candidate, pattern and objective. A candidate
// whose values are nil has none.
func scores(objectives []Objective, values [][][]float64) []Score {
	list := make([]Score, len(values))
	for i := range objectives {
		o, best := &objectives[i], 0.0
		for c, of := range values {
			if of == nil {
				continue
			}
			logs := 0.0
			for pattern := range of {
				logs += math.Log(o.loss(of[pattern][i]))
			}
			mean := math.Exp(logs / float64(len(of)))
			if list[c] = append(list[c], mean); best == 0 || mean < best {
				best = mean
			}
		}
		for c := range list {
			if list[c] != nil {
				list[c][i] /= best
			}
		}
	}
	return list
}
