package tune

import (
	"context"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// Search tries candidates on patterns.
type Search struct {
	// Candidates are tried; Known rules are held against them, and are not the advice.
	Candidates, Known []Candidate
	// Patterns and Seeds are the search's inputs, and it goes on to the next seeds as long as it needs them; Unseen and
	// UnseenSeeds are for the advice's run afterwards.
	Patterns, Unseen   []*Pattern
	Seeds, UnseenSeeds []uint64
	// Objectives are the metrics that count, the first before the others.
	Objectives []Objective
	// Slack is how much worse than the best the advice may be in the first. 0.02 is 2 %.
	Slack float64
	// Budget is the number of runs allowed before the check; 0 for four times the runs of all candidates with Seeds, or
	// three seeds, on all patterns.
	Budget int

	// Run carries a run out, like Cell.Run of an experiment. Jobs is the number of concurrent runs; Meter may be nil.
	Run   func(context.Context, *plan.Plan, int, func(model.Progress)) (*result.Outcome, error)
	Jobs  int
	Meter *campaign.Meter
	// Memory keeps the rows of runs; if it is nil, Unfinished keeps them until the search is done. Both nil keep none.
	Memory     *campaign.Store
	Unfinished *campaign.Unfinished
}

// table has the results of runs, by candidate, pattern and seed.
type table [][][]*Measured

func newTable(candidates, patterns, seeds int) table {
	t := make(table, candidates)
	for c := range t {
		t[c] = make([][]*Measured, patterns)
		for p := range t[c] {
			t[c][p] = make([]*Measured, seeds)
		}
	}
	return t
}

// Do carries the search out. An interruption is ctx's error; the measurements until then are in the memory.
func (s *Search) Do(ctx context.Context) (*Answer, error) {
	all := append(slices.Clone(s.Candidates), s.Known...)
	seen := newTable(len(all), len(s.Patterns), len(s.Seeds))
	every := make([]int, len(all))
	for i := range every {
		every[i] = i
	}
	a := &Answer{search: s, all: all, Seeds: s.Seeds, Chosen: -1}
	if err := s.measure(ctx, a, seen, every, s.Patterns, s.Seeds, 0, 1); err != nil {
		return nil, err
	}
	a.Bad = badOf(all, seen)
	if a.Nothing = s.nothing(seen); a.Nothing != "" {
		return a, nil
	}
	var kept []int
	for i, of := range s.losses(seen) {
		if of != nil {
			kept = append(kept, i)
		}
	}
	if err := s.measure(ctx, a, seen, kept, s.Patterns, s.Seeds, 1, len(s.Seeds)); err != nil {
		return nil, err
	}
	if err := a.race(s.measureMore(ctx, a, seen)); err != nil {
		return nil, err
	}
	if a.Nothing = a.undecided(); a.Nothing != "" {
		a.Chosen = -1
	}
	a.scored(seen)
	if a.Chosen < 0 {
		return a, nil
	}
	return a, s.check(ctx, a)
}

// MostRuns returns the largest number of runs that the search makes: its budget, and all candidates on what the search
// does not see.
func (s *Search) MostRuns() int {
	all := len(s.Candidates) + len(s.Known)
	return min(s.budget(), all*len(s.Patterns)*max(len(s.Seeds), mostSeeds)) + all*len(s.Unseen)*len(s.UnseenSeeds)
}

// Plan returns the plan of a candidate on the first pattern with the first seed.
func (s *Search) Plan(candidate int) (*plan.Plan, error) {
	return s.Patterns[0].plan(&s.Candidates[candidate], s.Seeds[0])
}

// measure runs candidates on patterns with the seeds from one to another.
func (s *Search) measure(ctx context.Context, a *Answer, into table, which []int, patterns []*Pattern, seeds []uint64,
	from, to int) error {
	m := campaign.Matrix{Jobs: s.Jobs, Meter: s.Meter}
	for _, c := range which {
		for p, pattern := range patterns {
			for at := from; at < to; at++ {
				if into[c][p][at] != nil {
					continue
				}
				candidate, seed, place := &a.all[c], seeds[at], &into[c][p][at]
				id, err := pattern.id(candidate, seed)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", pattern.Name, candidate.Name, err)
				}
				a.Runs++
				if row := s.remembered(id); row != nil {
					*place = measured(row)
					a.Remembered++
					continue
				}
				m.Cells = append(m.Cells, s.cell(pattern, candidate, seed, id, place))
			}
		}
	}
	if len(m.Cells) == 0 {
		return ctx.Err()
	}
	notRun, err := m.Do(ctx)
	if err == nil && len(notRun) > 0 {
		if err = ctx.Err(); err == nil {
			err = context.Canceled
		}
	}
	return err
}

// cell is a run of the matrix. Its plan is made again when its turn comes, for many plans at a time would fill the
// memory.
func (s *Search) cell(pattern *Pattern, candidate *Candidate, seed uint64, id campaign.ID,
	place **Measured) campaign.Cell {
	return campaign.Cell{
		Name:  fmt.Sprintf("%s, %s, seed %d", pattern.Name, candidate.Name, seed),
		Title: fmt.Sprintf("%s, %s", pattern.Name, candidate.Name),
		Plan:  func() (*plan.Plan, error) { return pattern.plan(candidate, seed) },
		Run:   s.Run,
		Keep: func(_ *result.Outcome, run campaign.Run) error {
			row := campaign.RowOf(id, &run)
			*place = measured(row)
			return s.keep(row)
		},
	}
}

// remembered returns the row of a run that the memory has, nil for none: one that is damaged
// is set aside when its run is kept.
func (s *Search) remembered(id campaign.ID) *campaign.Row {
	if s.Memory != nil {
		row, _ := s.Memory.Row(id)
		return row
	}
	row := &campaign.Row{}
	name, err := unfinishedID(id)
	if err != nil {
		return nil
	}
	if _, found := s.Unfinished.Find(name, row); !found {
		return nil
	}
	return row
}

// unfinishedID is the name of a row among the unfinished, which depends on this build of the program.
func unfinishedID(id campaign.ID) (campaign.ID, error) { return campaign.IDOf("row of a search", id) }

// keep makes the memory keep a row.
func (s *Search) keep(row *campaign.Row) error {
	if s.Memory == nil {
		if name, err := unfinishedID(row.ID); err == nil {
			s.Unfinished.Keep(name, row, nil)
		}
		return nil
	}
	staged, err := s.Memory.Stage(row.ID)
	if err == nil {
		_, err = s.Memory.Publish(staged, row)
	}
	if err != nil {
		return fmt.Errorf("store the result of a run: %w", err)
	}
	return nil
}

// nothing returns the reason why there is nothing to recommend after the first seed, "" if there may be something.
func (s *Search) nothing(t table) string {
	marked, scored, differ := false, 0, false
	var one [][]float64
	losses := s.losses(t)
	for c := range t {
		for p := range t[c] {
			if m := t[c][p][0]; m != nil && m.Marks > 0 {
				marked = true
			}
		}
		if losses[c] == nil {
			continue
		}
		scored++
		if one == nil {
			one = losses[c]
		}
		differ = differ || !slices.EqualFunc(one, losses[c], slices.Equal)
	}
	switch {
	case scored == 0:
		return "no candidate's runs all completed without fault"
	case !differ && !marked:
		return "no frame was marked in any run, and all candidates give the same result: there is no congestion " +
			"for them to change"
	case !differ:
		return "all candidates give the same result in every run"
	}
	return ""
}

// check runs the advice, the candidates tied with it or next to it, the front and the known rules on unseen patterns
// and seeds.
func (s *Search) check(ctx context.Context, a *Answer) error {
	if len(s.Unseen) == 0 || len(s.UnseenSeeds) == 0 {
		return nil
	}
	which := append(slices.Clone(a.Front), a.Tied...)
	for i := range a.all {
		if i == a.Chosen || a.all[i].Known() || a.all[i].nextTo(a.Advice()) {
			which = append(which, i)
		}
	}
	slices.Sort(which)
	which = slices.Compact(which)
	unseen := newTable(len(a.all), len(s.Unseen), len(s.UnseenSeeds))
	if err := s.measure(ctx, a, unseen, which, s.Unseen, s.UnseenSeeds, 0, len(s.UnseenSeeds)); err != nil {
		return err
	}
	a.checked(unseen)
	return nil
}
