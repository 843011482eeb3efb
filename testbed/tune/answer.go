package tune

import "slices"

// Answer is what a search came to.
type Answer struct {
	search *Search
	all    []Candidate

	// Nothing says why there is no advice; "" if there is.
	Nothing string
	// Runs is how many runs it rests on, of which Remembered were in the memory.
	Runs, Remembered int
	// Bad are candidates that count for nothing, and why.
	Bad []string
	// Chosen is the place of the advice, Front those of the front, in the order of the
	// first score; both among the candidates and then the known rules.
	Chosen int
	Front  []int
	// Seen are the scores and values on what the search saw, Unseen on what it did not; nil
	// for candidates that were not run there.
	Seen, Unseen Scored
	// Sides are the candidates next to the advice.
	Sides []Side
	// Excess is how far behind the others the advice lies on what the search did not see:
	// see Excess. Checked says whether it was run there.
	Excess  float64
	Checked bool
}

// Scored are scores, and the medians over seeds behind them by candidate, pattern and
// objective.
type Scored struct {
	Scores []Score
	Values [][][]float64
}

// Side is a candidate next to the advice.
type Side struct {
	Place int
	// Axis is the axis on which it is another, Up the direction.
	Axis int
	Up   bool
	// Change is its score over that of the advice, less 1, by objective; nil if its runs
	// count for nothing.
	Change []float64
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

// scored works out the front and the advice of the candidates that were run with all seeds.
func (a *Answer) scored(seen table, kept []int) {
	values := a.search.values(seen, len(a.search.Seeds))
	for i := range values {
		if !slices.Contains(kept, i) {
			values[i] = nil
		}
	}
	a.Seen = Scored{scores(a.search.Objectives, values), values}
	a.Front = front(a.Seen.Scores)
	slices.SortStableFunc(a.Front, func(i, j int) int {
		switch x, y := a.Seen.Scores[i][0], a.Seen.Scores[j][0]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	a.Chosen = choose(a.Seen.Scores, func(i int) bool { return !a.all[i].Known() }, a.search.Slack)
}

// sensitivity holds the candidates next to the advice against it.
func (a *Answer) sensitivity(seen table, list []int) {
	with := append([]int{a.Chosen}, list...)
	values := a.search.values(seen, len(a.search.Seeds))
	for i := range values {
		if !slices.Contains(with, i) {
			values[i] = nil
		}
	}
	held := scores(a.search.Objectives, values)
	for _, i := range list {
		side := Side{Place: i}
		for axis, at := range a.all[i].Place {
			if was := a.all[a.Chosen].Place[axis]; at != was {
				side.Axis, side.Up = axis, at > was
			}
		}
		if held[i] != nil {
			for o, x := range held[i] {
				side.Change = append(side.Change, x/held[a.Chosen][o]-1)
			}
		}
		a.Sides = append(a.Sides, side)
	}
}

// checked holds the advice against what was run beside it on what the search did not see.
func (a *Answer) checked(unseen table, which []int) {
	values := a.search.values(unseen, len(a.search.UnseenSeeds))
	for i := range values {
		if !slices.Contains(which, i) {
			values[i] = nil
		}
	}
	a.Unseen = Scored{scores(a.search.Objectives, values), values}
	if x := a.Unseen.Scores[a.Chosen]; x != nil {
		a.Checked, a.Excess = true, Excess(x, a.Unseen.Scores)
	}
}

// badOf names the candidates with a run that counts for nothing.
func badOf(all []Candidate, t table) (list []string) {
	for c := range t {
		for p := range t[c] {
			if m := t[c][p][0]; m != nil && m.Bad != "" {
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
