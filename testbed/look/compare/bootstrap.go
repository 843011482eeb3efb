package compare

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Resamples is the number of draws for an interval.
const Resamples = 10_000

// Confidence is the level of an interval.
const Confidence = 0.95

// Interval is a range of values; both ends are NaN if there is none.
type Interval struct{ Low, High float64 }

// bootstrap is the percentile interval, with Confidence, of the ratio of the
// median of b to the median of a: each is drawn Resamples times, with replacement
// and independently of the other. There is none for fewer than two values on a side,
// or if a median of a's draws is 0. A draw is the stream's of the given name,
// so that an interval never changes from call to call.
//
// The median of few values has few values itself, at most the measured ones: with five seeds read the interval as a
// range, not to the digit.
//
// Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
func bootstrap(a, b []float64, name string) Interval {
	none := Interval{math.NaN(), math.NaN()}
	if len(a) < 2 || len(b) < 2 {
		return none
	}
	c := chance.New(1, "bootstrap/"+name)
	drawnA, drawnB := make([]float64, len(a)), make([]float64, len(b))
	ratios := make([]float64, Resamples)
	for i := range ratios {
		draw(c, a, drawnA)
		draw(c, b, drawnB)
		medianA := Median(drawnA)
		if medianA == 0 {
			return none
		}
		ratios[i] = Median(drawnB) / medianA
	}
	return percentiles(ratios)
}

// MedianInterval is the percentile interval, with Confidence, of the median of values, drawn Resamples times with
// replacement; the draws are the stream's of the given name. There is none for fewer than two values. Read that of few
// values as a range, not to the digit.
func MedianInterval(values []float64, name string) Interval {
	if len(values) < 2 {
		return Interval{math.NaN(), math.NaN()}
	}
	c := chance.New(1, "bootstrap/median/"+name)
	drawn, medians := make([]float64, len(values)), make([]float64, Resamples)
	for i := range medians {
		draw(c, values, drawn)
		medians[i] = Median(drawn)
	}
	return percentiles(medians)
}

// percentiles are the ends of the interval of what Resamples came to.
func percentiles(resampled []float64) Interval {
	slices.Sort(resampled)
	const tail = (1 - Confidence) / 2
	at := func(share float64) float64 { return resampled[unit.Whole[int](math.Round(share*Resamples))-1] }
	return Interval{at(tail), at(1 - tail)}
}

// draw fills into with values of from, drawn with replacement.
func draw(c *chance.Stream, from, into []float64) {
	for i := range into {
		into[i] = from[c.Below(uint64(len(from)))]
	}
}
