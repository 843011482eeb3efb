package tune

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// drawn is the logarithm of a figure of a candidate, and what it is in each resample of the seeds.
type drawn struct {
	of      float64
	samples []float64
}

// apart tells candidates apart by a figure: so far above the least of them that, if all had the same, it would be seen
// in one of twenty sets of seeds, for any of them (a test of all against the best at once; Hsu, Multiple Comparisons,
// 1996, chapter 4). One test for each would take the luckiest of many for the best.
type apart struct {
	figure func(candidate int) *drawn
	// critical is that many standard errors.
	critical float64
}

// apartBy returns the test of a figure of candidates, against one of them, over a number of seeds.
func apartBy(candidates []int, against int, seeds int, figure func(candidate int) *drawn) *apart {
	test := &apart{figure: figure}
	errors := make([]float64, len(candidates))
	for k, i := range candidates {
		errors[k] = standardError(figure(i), figure(against))
	}
	most := make([]float64, resamples)
	for b := range most {
		least := math.Inf(1)
		for _, i := range candidates {
			least = min(least, figure(i).deviation(b))
		}
		for k, i := range candidates {
			if errors[k] > 0 {
				most[b] = max(most[b], (figure(i).deviation(b)-least)/errors[k])
			}
		}
	}
	slices.Sort(most)
	test.critical = widening(seeds) * most[unit.Whole[int](math.Round(compare.Confidence*resamples))-1]
	return test
}

// deviation is how far the figure of a resample lies from that over all seeds.
func (d *drawn) deviation(resample int) float64 { return d.samples[resample] - d.of }

// standardError is that of the difference of two figures.
func standardError(x, y *drawn) float64 {
	sum := 0.0
	for b := range x.samples {
		d := x.deviation(b) - y.deviation(b)
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(len(x.samples)))
}

// exact is a difference of logarithms that is more than rounding makes.
const exact = 1e-9

// above reports whether a candidate's figure is shown to be above that of another one by more than a distance.
func (t *apart) above(candidate, other int, distance float64) bool {
	x, y := t.figure(candidate), t.figure(other)
	return x.of-y.of-distance > max(exact, t.critical*standardError(x, y))
}
