package tune

import (
	"slices"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Answer is the result of a search.
type Answer struct {
	search *Search
	all    []Candidate

	// Nothing is the reason why there is no advice; "" if there is.
	Nothing string
	// Seeds are the seeds that the search went on to.
	Seeds []uint64
	// Runs is the number of runs behind it; Remembered of them were in the memory.
	Runs, Remembered int
	// Bad are candidates that count for nothing, and why.
	Bad []string
	// Chosen is the place of the advice, -1 for none; Front the places of the front, in the order of the first score.
	// Both are among the candidates and then the known rules.
	Chosen int
	Front  []int
	// Tied are the candidates that are not told apart from the advice: they may be within Slack of the best, and as cheap.
	Tied []int
	// Unmarked reports whether no frame was marked in any run of the advice.
	Unmarked bool
	// Seen are the standings on what the search saw, Unseen on what it did not; nil for candidates that were not run
	// there.
	Seen, Unseen []*standing
	// Sides are the candidates next to the advice.
	Sides []side
	// Check is the result of the advice on patterns and seeds that the search did not see, nil if it was not run there,
	// or a run of it counts for nothing.
	Check *check

	settled bool // more seeds would change nothing
}

// side is a candidate next to the advice.
type side struct {
	Place int
	// Axis is the axis on which it differs, Up the direction.
	Axis int
	Up   bool
	// Change is its score over that of the advice, less 1, by objective; nil if its runs
	// count for nothing.
	Change []float64
}

// check is the result of an advice on patterns and seeds that the search did not see.
type check struct {
	// First is its first score there, with the interval.
	First float64
	Of    compare.Interval
	// Pick is the candidate that the same rule takes there. Cost is the advice's cost over that of the pick; of one
	// objective 1.
	Pick         int
	Cost         float64
	CostInterval compare.Interval
}

// Candidate returns a candidate by its place.
func (a *Answer) Candidate(place int) *Candidate { return &a.all[place] }

// Advice returns the candidate that is recommended, nil for none.
func (a *Answer) Advice() *Candidate {
	if a.Chosen < 0 {
		return nil
	}
	return &a.all[a.Chosen]
}

// scoresOf are the scores of standings.
func scoresOf(standings []*standing) []score {
	list := make([]score, len(standings))
	for i, x := range standings {
		if x != nil {
			list[i] = x.Score
		}
	}
	return list
}

// scored works out the front, and what else is known of the advice.
func (a *Answer) scored(seen table) {
	list := scoresOf(a.Seen)
	a.Bad = badOf(a.all, seen)
	a.Front = front(list)
	slices.SortStableFunc(a.Front, func(i, j int) int {
		switch x, y := list[i][0], list[j][0]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	if a.Chosen < 0 {
		return
	}
	a.Unmarked = true
	for _, of := range seen[a.Chosen] {
		for _, m := range of {
			a.Unmarked = a.Unmarked && (m == nil || m.Marks == 0)
		}
	}
	a.sensitivity(a.search.losses(seen))
}

// sensitivity holds the candidates next to the advice against it, over the seeds that both were run with.
func (a *Answer) sensitivity(losses [][][]float64) {
	for i := range a.search.Candidates {
		if !a.all[i].nextTo(&a.all[a.Chosen]) {
			continue
		}
		side := side{Place: i}
		for axis, at := range a.all[i].Place {
			if was := a.all[a.Chosen].Place[axis]; at != was {
				side.Axis, side.Up = axis, at > was
			}
		}
		if losses[i] != nil {
			seeds := min(len(losses[i][0]), len(losses[a.Chosen][0]))
			two := make([][][]float64, len(losses))
			for _, c := range []int{i, a.Chosen} {
				for _, of := range losses[c] {
					two[c] = append(two[c], of[:seeds])
				}
			}
			both := a.stand(two)
			for o := range both[i].Score {
				side.Change = append(side.Change, both[i].Score[o]/both[a.Chosen].Score[o]-1)
			}
		}
		a.Sides = append(a.Sides, side)
	}
}

// checked compares the advice with the candidates run beside it on unseen patterns and seeds.
func (a *Answer) checked(unseen table) {
	a.Unseen = a.stand(a.search.losses(unseen))
	x := a.Unseen[a.Chosen]
	if x == nil {
		return
	}
	pick := choose(scoresOf(a.Unseen), func(i int) bool { return !a.all[i].Known() }, a.search.Slack)
	a.Check = &check{
		First:        x.Score[0],
		Of:           x.Intervals[0],
		Pick:         pick,
		Cost:         1,
		CostInterval: compare.Interval{Low: 1, High: 1},
	}
	if len(a.search.Objectives) > 1 {
		a.Check.Cost, a.Check.CostInterval = x.costOver(a.Unseen[pick])
	}
}

// badOf names the candidates with a run that counts for nothing.
func badOf(all []Candidate, t table) (list []string) {
	for c := range t {
		for _, m := range slices.Concat(t[c]...) {
			if m != nil && m.Bad != "" {
				list = append(list, all[c].Name+": "+m.Bad)
				break
			}
		}
	}
	return list
}

// atEnds are the axes at whose ends the advice lies.
func (a *Answer) atEnds() (axes []int) {
	place := a.Advice().Place
	for axis, at := range place {
		last := 0
		for i := range a.search.Candidates {
			last = max(last, a.search.Candidates[i].Place[axis])
		}
		if last > 0 && (at == 0 || at == last) {
			axes = append(axes, axis)
		}
	}
	return axes
}
