package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// leastSeeds are the fewest seeds that an advice may rest on, if the budget has them: a rare event, such as two flows
// of a job on one port, may be missing from three.
const leastSeeds = 6

// mostSeeds is the most seeds that a search goes on to by itself.
const mostSeeds = 64

// race chooses among candidates over more and more seeds: in each round those go on that are not shown to be beyond
// Slack of the best, until the advice is told apart from them, or the budget is spent. measure returns the losses of
// all when some have been run with all of the seeds; it is called first with none of them left to run.
func (a *Answer) race(measure func(left []int, seeds []uint64) ([][][]float64, error)) error {
	s := a.search
	a.Seeds = slices.Clone(s.Seeds)
	var left []int
	for {
		losses, err := measure(left, a.Seeds)
		if err != nil {
			return err
		}
		a.Seen = a.stand(losses)
		left = a.left(len(a.Seeds))
		a.decide(left)
		seeds := len(a.Seeds)
		add := min(max(1, seeds/2), mostSeeds-seeds, (s.budget()-a.Runs)/(max(1, len(left))*len(s.Patterns)))
		if a.settled && seeds >= leastSeeds || add <= 0 {
			return nil
		}
		a.Seeds = append(a.Seeds, s.moreSeeds(a.Seeds, add)...)
	}
}

// measureMore returns a function that runs candidates with seeds that they have not had.
func (s *Search) measureMore(ctx context.Context, a *Answer, seen table) func([]int, []uint64) ([][][]float64, error) {
	return func(left []int, seeds []uint64) ([][][]float64, error) {
		from := len(seen[0][0])
		for c := range seen {
			for p := range seen[c] {
				seen[c][p] = append(seen[c][p], make([]*Measured, len(seeds)-from)...)
			}
		}
		err := s.measure(ctx, a, seen, left, s.Patterns, seeds, from, len(seeds))
		return s.losses(seen), err
	}
}

// budget is the number of runs allowed to the race.
func (s *Search) budget() int {
	if s.Budget > 0 {
		return s.Budget
	}
	return 4 * (len(s.Candidates) + len(s.Known)) * len(s.Patterns) * max(len(s.Seeds), 3)
}

// moreSeeds are further seeds: the next after the largest that the search has not, nor what it does not see.
func (s *Search) moreSeeds(seeds []uint64, n int) (more []uint64) {
	for next := slices.Max(seeds) + 1; len(more) < n; next++ {
		if !slices.Contains(s.UnseenSeeds, next) {
			more = append(more, next)
		}
	}
	return more
}

// left are the candidates with all seeds, except ones that are shown to be beyond Slack of the best.
func (a *Answer) left(seeds int) (left []int) {
	var with []int
	for i, x := range a.Seen {
		if x != nil && !a.all[i].Known() && x.Seeds == seeds {
			with = append(with, i)
		}
	}
	if len(with) == 0 {
		return nil
	}
	best := slices.MinFunc(with, func(i, j int) int { return cmp.Compare(a.Seen[i].first.of, a.Seen[j].first.of) })
	test := apartBy(with, seeds, func(i int) *drawn { return &a.Seen[i].first })
	for _, i := range with {
		if !test.above(i, best, math.Log(1+a.search.Slack)) {
			left = append(left, i)
		}
	}
	return left
}

// decide chooses among the candidates that are left: among those certainly within Slack of the best the one of the
// least cost. Tied are candidates not shown to cost more, nor to be worse in the first objective at no less cost.
func (a *Answer) decide(left []int) {
	a.Chosen, a.Tied, a.settled = -1, left, false
	for _, i := range left {
		if a.within(i) && (a.Chosen < 0 || a.Seen[i].cost.of < a.Seen[a.Chosen].cost.of) {
			a.Chosen = i
		}
	}
	if a.Chosen < 0 {
		return
	}
	a.Tied, a.settled = nil, true
	chosen := a.Seen[a.Chosen]
	first := apartBy(left, chosen.Seeds, func(i int) *drawn { return &a.Seen[i].first })
	cost := apartBy(left, chosen.Seeds, func(i int) *drawn { return &a.Seen[i].cost })
	for _, i := range left {
		x := a.Seen[i]
		if i == a.Chosen || cost.above(i, a.Chosen, 0) || first.above(i, a.Chosen, 0) && x.cost.of >= chosen.cost.of {
			continue
		}
		a.Tied = append(a.Tied, i)
		_, of := x.costOver(chosen)
		a.settled = a.settled && of.Low >= 1/(1+Within)
	}
}

// within reports whether a candidate is within Slack of the best in the first objective, with confidence.
func (a *Answer) within(i int) bool { return a.Seen[i].Intervals[0].High <= 1+a.search.Slack }

// undecided returns the reason why a race has no advice; "" if it has.
func (a *Answer) undecided() string {
	first, slack := a.search.Objectives[0].Metric.Name, 100*a.search.Slack
	over := fmt.Sprintf("over %d seeds and %d runs", len(a.Seeds), a.Runs)
	contenders := 0
	for i, x := range a.Seen {
		if x != nil && !a.all[i].Known() {
			contenders++
		}
	}
	switch {
	case contenders == 0:
		return "no candidate's runs all completed without fault"
	case a.Chosen >= 0 && len(a.Tied) == contenders-1 && contenders > 1:
		return fmt.Sprintf("%s, none of the %d candidates can be distinguished from %s", over, contenders-1,
			a.all[a.Chosen].Name)
	case a.Chosen >= 0:
		return ""
	}
	nearest := a.nearest()
	x := a.Seen[nearest]
	return fmt.Sprintf("%s, no candidate is within %g %% of the best %s for certain (95 %%), and %d of %d may be. The "+
		"nearest is %s, x %.3f (%.3f to %.3f). %s", over, slack, first, len(a.Tied), contenders, a.all[nearest].Name,
		x.Score[0], x.Intervals[0].Low, x.Intervals[0].High, a.furtherRuns(x))
}

// nearest is the candidate of those left whose first interval ends lowest.
func (a *Answer) nearest() int {
	nearest := a.Tied[0]
	for _, i := range a.Tied {
		if a.Seen[i].Intervals[0].High < a.Seen[nearest].Intervals[0].High {
			nearest = i
		}
	}
	return nearest
}

// furtherRuns estimates the effort to distinguish them: intervals shrink with the root of the seeds.
func (a *Answer) furtherRuns(nearest *standing) string {
	room := math.Log(1+a.search.Slack) - math.Log(nearest.Score[0])
	if room <= 0 {
		return "More seeds would not settle it"
	}
	factor := math.Pow(math.Log(nearest.Intervals[0].High/nearest.Score[0])/room, 2)
	seeds := math.Ceil(factor * float64(nearest.Seeds))
	if seeds > 1e6 {
		return "More than a million seeds would settle it"
	}
	runs := a.Runs + (unit.Whole[int](seeds)-nearest.Seeds)*len(a.Tied)*len(a.search.Patterns)
	return fmt.Sprintf("About %.0f seeds would settle it: --budget %d", seeds, runs)
}
