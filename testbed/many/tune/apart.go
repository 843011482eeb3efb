package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// drawn is the logarithm of a figure of a candidate, and what it is in each resample of the seeds.
type drawn struct {
	of      float64
	samples []float64
}

// apart distinguishes candidates by a figure: by a distance above the least of them that, if all had the same, would be
// seen in one of twenty sets of seeds, for any of them (a test of all against the best at once; Hsu, Multiple
// Comparisons, 1996, chapter 4). One test for each would take the luckiest of many for the best.
type apart struct {
	figure func(candidate int) *drawn
	// usual is the median of the standard errors of differences to the least. It is added to each: of few seeds some
	// differences vary little by chance, and among many candidates the least of these would pass for certain (Tusher,
	// Tibshirani, Chu, Significance analysis of microarrays, PNAS 98, 2001).
	usual float64
	// critical is that many of these errors.
	critical float64
	errors   map[[2]int]float64
}

// apartBy returns the test of a figure of candidates over a number of seeds. In each resample the least is chosen
// again, and each of the others is held against that one by the error of these two: candidates differ in how much they
// vary, and the spread of one must not count in units of another's.
func apartBy(candidates []int, seeds int, figure func(candidate int) *drawn) *apart {
	test := &apart{figure: figure, errors: map[[2]int]float64{}}
	best := slices.MinFunc(candidates, func(i, j int) int { return cmp.Compare(figure(i).of, figure(j).of) })
	var all []float64
	for _, i := range candidates {
		if i != best {
			all = append(all, test.standardError(i, best))
		}
	}
	if len(all) > 0 {
		test.usual = compare.Median(all)
	}
	most := make([]float64, resamples)
	for b := range most {
		least := slices.MinFunc(candidates, func(i, j int) int {
			return cmp.Compare(figure(i).deviation(b), figure(j).deviation(b))
		})
		for _, i := range candidates {
			if of := test.error(i, least); of > 0 {
				most[b] = max(most[b], (figure(i).deviation(b)-figure(least).deviation(b))/of)
			}
		}
	}
	slices.Sort(most)
	test.critical = widening(seeds) * most[unit.Whole[int](math.Round(compare.Confidence*resamples))-1]
	return test
}

// deviation returns the distance of the figure of a resample from the one over all seeds.
func (d *drawn) deviation(resample int) float64 { return d.samples[resample] - d.of }

// error returns the unit for the difference of two candidates.
func (t *apart) error(i, j int) float64 {
	if i == j {
		return 0
	}
	return t.standardError(i, j) + t.usual
}

// standardError is that of the difference of two candidates' figures.
func (t *apart) standardError(i, j int) float64 {
	pair := [2]int{min(i, j), max(i, j)}
	of, known := t.errors[pair]
	if !known {
		x, y := t.figure(i), t.figure(j)
		sum := 0.0
		for b := range x.samples {
			d := x.deviation(b) - y.deviation(b)
			sum += float64(d * d)
		}
		of = math.Sqrt(sum / float64(len(x.samples)))
		t.errors[pair] = of
	}
	return of
}

// exact is a difference of logarithms that is more than rounding makes.
const exact = 1e-9

// above reports whether a candidate's figure is shown to be above that of another one by more than a distance.
func (t *apart) above(candidate, other int, distance float64) bool {
	x, y := t.figure(candidate), t.figure(other)
	return x.of-y.of-distance > max(exact, t.critical*t.error(candidate, other))
}
