package tune

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/compare"
)

// standing is the standing of a candidate against the others, over the seeds that it was run with.
type standing struct {
	// Score is by objective; Intervals are of it, with compare.Confidence, from resamples of the seeds.
	Score     score
	Intervals []compare.Interval
	// Seeds is the number of seeds that it was run with. The others have as many of these or more.
	Seeds int
	// first and cost are its loss in the first objective, and what that is held against: the product of the others, or
	// the first itself if there is none.
	first, cost drawn
}

// resamples is the number of draws of seeds.
const resamples = 1000

// losses are the logarithms of losses, means over the patterns, by objective and seed; as many seeds as a candidate was
// run with on all patterns. nil for a candidate with a run that is bad, or not there with the first seed, or lacks a
// metric.
func (s *Search) losses(t table) [][][]float64 {
	list := make([][][]float64, len(t))
	for c := range t {
		list[c] = s.lossesOf(t[c])
	}
	return list
}

func (s *Search) lossesOf(runs [][]*Measured) [][]float64 {
	seeds := len(runs[0])
	for _, of := range runs {
		if missing := slices.Index(of, nil); missing >= 0 {
			seeds = min(seeds, missing)
		}
	}
	if seeds == 0 {
		return nil
	}
	list := make([][]float64, len(s.Objectives))
	for i := range s.Objectives {
		o := &s.Objectives[i]
		for seed := range seeds {
			sum := 0.0
			for _, of := range runs {
				v, ok := of[seed].Values[o.Metric.Name]
				if of[seed].Bad != "" || !ok {
					return nil
				}
				sum += math.Log(o.loss(v))
			}
			list[i] = append(list[i], sum/float64(len(runs)))
		}
	}
	return list
}

// stand computes the standings of candidates from their losses. Multiples are of the best other than known rules. Each
// resample draws seeds with replacement, the same for all candidates, so that a seed's effect on all of them cancels
// (Efron, Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and 13).
func (a *Answer) stand(losses [][][]float64) []*standing {
	standings := make([]*standing, len(losses))
	for c, of := range losses {
		if of != nil && standings[c] == nil {
			a.standOver(len(of[0]), losses, standings)
		}
	}
	return standings
}

// standOver computes the standings of candidates with a number of seeds: against all that have as many or more, and
// against candidates that left the race earlier over the seeds that both have.
func (a *Answer) standOver(seeds int, losses [][][]float64, standings []*standing) {
	var with, these []int
	left := map[int][]int{} // by their seeds
	for c, of := range losses {
		switch {
		case of == nil:
		case len(of[0]) < seeds:
			left[len(of[0])] = append(left[len(of[0])], c)
		default:
			with = append(with, c)
			if len(of[0]) == seeds {
				these = append(these, c)
				standings[c] = &standing{Seeds: seeds}
			}
		}
	}
	objectives := len(a.search.Objectives)
	means := make([][]float64, len(losses))
	for _, c := range with {
		means[c] = make([]float64, objectives)
	}
	// mean is the mean of a candidate's losses over the drawn seeds below an end, and their number.
	mean := func(c, o int, drawn []int, end int) (mean float64, n int) {
		sum := 0.0
		for _, seed := range drawn {
			if seed < end {
				sum += losses[c][o][seed]
				n++
			}
		}
		return sum / float64(n), n
	}
	// over fills means with the means over drawn seeds, and behind with the distance from the best, by objective.
	over := func(drawn []int, behind [][]float64) {
		for o := range objectives {
			best := math.Inf(1)
			for _, c := range with {
				if means[c][o], _ = mean(c, o, drawn, seeds); !a.all[c].Known() {
					best = min(best, means[c][o])
				}
			}
			for _, c := range these {
				behind[c][o] = means[c][o] - best
			}
			for end, gone := range left { // the largest of several: in any order
				best := math.Inf(1)
				for _, c := range gone {
					if of, n := mean(c, o, drawn, end); n > 0 && !a.all[c].Known() {
						best = min(best, of)
					}
				}
				for _, c := range these {
					if of, n := mean(c, o, drawn, end); n > 0 {
						behind[c][o] = max(behind[c][o], of-best)
					}
				}
			}
		}
	}
	drawn := make([]int, seeds)
	for i := range drawn {
		drawn[i] = i
	}
	behind := make([][]float64, len(losses))
	for _, c := range these {
		behind[c] = make([]float64, objectives)
	}
	over(drawn, behind)
	for _, c := range these {
		for o := range objectives {
			standings[c].Score = append(standings[c].Score, math.Exp(behind[c][o]))
		}
		standings[c].first.of, standings[c].cost.of = means[c][0], logCost(means[c])
	}
	samples := make([][][]float64, len(losses))
	for _, c := range these {
		samples[c] = make([][]float64, objectives)
	}
	draw := chance.New(1, "tune/resamples")
	for range resamples {
		for k := range drawn {
			drawn[k] = int(draw.Below(uint64(seeds)))
		}
		over(drawn, behind)
		for _, c := range these {
			for o := range objectives {
				samples[c][o] = append(samples[c][o], behind[c][o])
			}
			x := standings[c]
			x.first.samples = append(x.first.samples, means[c][0])
			x.cost.samples = append(x.cost.samples, logCost(means[c]))
		}
	}
	for _, c := range these {
		for o := range objectives {
			standings[c].Intervals = append(standings[c].Intervals,
				interval(math.Log(standings[c].Score[o]), samples[c][o], seeds))
		}
	}
}

// logCost is the logarithm of what the first objective is held against: the product of the others, or itself if there
// is none.
func logCost(means []float64) (sum float64) {
	if len(means) == 1 {
		return means[0]
	}
	for _, mean := range means[1:] {
		sum += mean
	}
	return sum
}

// costOver is the ratio of two candidates' costs, over the same seeds, and its interval.
func (x *standing) costOver(y *standing) (ratio float64, of compare.Interval) {
	samples := make([]float64, resamples)
	for i := range samples {
		samples[i] = x.cost.samples[i] - y.cost.samples[i]
	}
	log := x.cost.of - y.cost.of
	return math.Exp(log), interval(log, samples, x.Seeds)
}

// interval is the percentile interval of samples of a logarithm about its value over all seeds, as a ratio. With few
// values resamples spread too little: the interval is wider by the factor by which a mean's is.
func interval(log float64, samples []float64, seeds int) compare.Interval {
	if seeds < 2 {
		return compare.Interval{Low: 0, High: math.Inf(1)}
	}
	sorted := slices.Sorted(slices.Values(samples))
	const tail = (1 - compare.Confidence) / 2
	at := func(share float64) float64 {
		return sorted[min(len(sorted)-1, unit.Whole[int](math.Round(share*float64(len(sorted)))))]
	}
	wider := widening(seeds)
	return compare.Interval{
		Low:  math.Exp(log - float64(wider*(log-min(log, at(tail))))),
		High: math.Exp(log + float64(wider*(max(log, at(1-tail))-log))),
	}
}

// widening is the factor by which intervals from few seeds are wider than their resamples spread: Student's factor, and
// the one for the variance that resamples lack.
func widening(seeds int) float64 {
	if seeds < 2 {
		return math.Inf(1)
	}
	return student(float64(seeds-1)) / normal * math.Sqrt(float64(seeds)/float64(seeds-1))
}

// normal is the point beyond which a normal distribution has the tail of an interval.
const normal = 1.959964

// student is that of Student's distribution with some degrees of freedom, exact to 3 % for 2 and to 0.2 % from 4 on
// (Abramowitz, Stegun, Handbook of Mathematical Functions, 26.7.5).
func student(freedom float64) float64 {
	z := float64(normal)
	z3, z5, z7 := math.Pow(z, 3), math.Pow(z, 5), math.Pow(z, 7)
	if freedom == 1 {
		return 12.706
	}
	first := (z3 + z) / 4
	second := (float64(5*z5) + float64(16*z3) + float64(3*z)) / 96
	third := (float64(3*z7) + float64(19*z5) + float64(17*z3) - float64(15*z)) / 384
	return z + first/freedom + second/math.Pow(freedom, 2) + third/math.Pow(freedom, 3)
}
