package tune

import (
	"math"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Record is an answer as JSON has it.
type Record struct {
	// Nothing is the reason why there is no advice.
	Nothing string `json:"nothing,omitempty"`
	// Recommended are the values of the advice by key; null without advice.
	Recommended map[string]string `json:"recommended"`
	// Facts are consequences of them, in words.
	Facts []string `json:"facts,omitempty"`
	// NotToldApart are names of candidates that may be as good as the advice.
	NotToldApart []string `json:"not_told_apart,omitempty"`
	// Unmarked reports whether no frame was marked in any run of the advice.
	Unmarked   bool     `json:"unmarked,omitempty"`
	Runs       int      `json:"runs"`
	Slack      float64  `json:"slack"`
	Objectives []string `json:"objectives"`
	// Seen and Unseen are the candidates with their scores, on what the search saw and on
	// what it did not.
	Patterns       []string          `json:"patterns"`
	Seeds          []uint64          `json:"seeds"`
	Seen           []recordCandidate `json:"seen"`
	UnseenPatterns []string          `json:"unseen_patterns"`
	UnseenSeeds    []uint64          `json:"unseen_seeds"`
	Unseen         []recordCandidate `json:"unseen"`
	// Excess is how much worse than the best there the advice is in the first objective on unseen patterns, with its
	// interval; CostExcess how much more it costs than the candidate that the same rule takes there. Held reports
	// whether the advice keeps its promise. All are null without a check.
	Excess       *float64     `json:"excess"`
	Interval     *[2]*float64 `json:"excess_interval"`
	CostExcess   *float64     `json:"cost_excess"`
	CostInterval *[2]*float64 `json:"cost_interval"`
	Held         *bool        `json:"held"`
	// Sides are the candidates one step beside the advice, with the change of each score.
	Sides    []recordSide `json:"sides"`
	Bad      []string     `json:"bad,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

// recordCandidate is a candidate and its scores by objective; null for one whose runs count for nothing.
type recordCandidate struct {
	Name     string            `json:"name"`
	Settings map[string]string `json:"settings"`
	Role     string            `json:"role"`
	// Intervals are the score's at 95 %; an unknown end is null. Seeds is the number behind it.
	Score     score         `json:"score"`
	Intervals [][2]*float64 `json:"intervals"`
	Seeds     int           `json:"seeds"`
}

// recordSide is a candidate beside the advice.
type recordSide struct {
	Name   string    `json:"name"`
	Change []float64 `json:"change"`
}

// Record returns the answer for JSON.
func (a *Answer) Record(facts, warnings []string) *Record {
	s := a.search
	r := &Record{
		Nothing:     a.Nothing,
		Facts:       facts,
		Runs:        a.Runs,
		Slack:       s.Slack,
		Seeds:       a.Seeds,
		Unmarked:    a.Unmarked,
		UnseenSeeds: s.UnseenSeeds,
		Bad:         a.Bad,
		Warnings:    warnings,
	}
	for i := range s.Objectives {
		r.Objectives = append(r.Objectives, s.Objectives[i].Metric.Name)
	}
	for _, p := range s.Patterns {
		r.Patterns = append(r.Patterns, p.Name)
	}
	for _, p := range s.Unseen {
		r.UnseenPatterns = append(r.UnseenPatterns, p.Name)
	}
	list := func(of []*standing) (out []recordCandidate) {
		for _, i := range a.shown(of) {
			row := recordCandidate{Name: a.all[i].Name, Settings: settingsOf(&a.all[i]), Role: a.role(i)}
			if x := of[i]; x != nil {
				row.Score, row.Seeds = x.Score, x.Seeds
				for _, interval := range x.Intervals {
					row.Intervals = append(row.Intervals, ends(interval))
				}
			}
			out = append(out, row)
		}
		return out
	}
	for _, i := range a.Tied {
		r.NotToldApart = append(r.NotToldApart, a.all[i].Name)
	}
	if a.Seen != nil {
		r.Seen = list(a.Seen)
	}
	if a.Advice() == nil {
		return r
	}
	r.Recommended = settingsOf(a.Advice())
	if a.Unseen != nil {
		r.Unseen = list(a.Unseen)
	}
	for _, side := range a.Sides {
		r.Sides = append(r.Sides, recordSide{a.all[side.Place].Name, side.Change})
	}
	if c := a.Check; c != nil {
		held, first, cost := !a.Missed(), c.First-1, c.Cost-1
		of, costOf := ends(less1(c.Of)), ends(less1(c.CostInterval))
		r.Excess, r.Interval, r.CostExcess, r.CostInterval, r.Held = &first, &of, &cost, &costOf, &held
	}
	return r
}

func less1(of compare.Interval) compare.Interval {
	return compare.Interval{Low: of.Low - 1, High: of.High - 1}
}

// ends returns the ends of an interval, nil for one that is not finite.
func ends(of compare.Interval) (list [2]*float64) {
	for i, end := range []float64{of.Low, of.High} {
		if !math.IsInf(end, 0) {
			list[i] = &end
		}
	}
	return list
}

func settingsOf(c *Candidate) map[string]string {
	values := map[string]string{}
	for _, s := range c.Settings {
		values[s.Path] = s.Text
	}
	return values
}
