package reproduce

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// What a claim can come to besides what criteria can.
const (
	// untestable: it cannot be judged here, for the reason in the entry.
	untestable Outcome = "untestable"
	// stillOwed: what it asks for has not been carried out, or not at its size.
	stillOwed Outcome = "owed"
)

// Standing is the result of an entry of a registry by recorded figures, in the largest recorded form.
type Standing struct {
	Entry   *Entry
	Outcome Outcome
	// Form is the form it is judged in, "" for none. Smoke is set if that is smaller than what counts, so that what it
	// came to there, Small, is not scored.
	Form  string
	Smoke bool
	Small Outcome
	// Seeds is the number of seeds of the figures.
	Seeds int
	// Verdicts are the verdicts of its counted criteria.
	Verdicts []verdict
}

// Standings are the results of the entries of a registry, claims first.
func (r *Registry) Standings(rows []*Row, recorded *Recorded) (list []Standing) {
	judged := map[string]*Judged{}
	smoke := map[string]bool{}
	for _, row := range rows {
		for _, full := range []bool{true, false} {
			form := recorded.Of(row.ID, full)
			if form == nil {
				continue
			}
			judged[row.ID] = newJudged(row, full, form.Figures)
			smoke[row.ID] = !full && !reflect.DeepEqual(row.Quick, row.Full)
			break
		}
	}
	for _, entry := range r.entries() {
		list = append(list, entry.standing(judged[entry.Row], smoke[entry.Row]))
	}
	return list
}

func (e *Entry) standing(judged *Judged, smoke bool) Standing {
	s := Standing{Entry: e, Outcome: stillOwed}
	switch {
	case e.Untestable != "":
		s.Outcome = untestable
		return s
	case judged == nil:
		return s
	}
	s.Form, s.Smoke, s.Small = formName(judged.Full), smoke, Met
	for i := range judged.Figures {
		s.Seeds = max(s.Seeds, len(judged.Figures[i].Values))
	}
	for _, verdict := range judged.Verdicts {
		if verdict.Criterion.Entry == e && !judged.Row.beside(verdict.Column) {
			s.Verdicts = append(s.Verdicts, verdict)
			s.Small = worse(s.Small, verdict.Outcome)
		}
	}
	switch {
	case judged.Err != nil:
		s.Small = Unmeasured
	case len(s.Verdicts) == 0:
		s.Small = stillOwed // its criteria are of the full form alone
	}
	if s.Outcome = s.Small; smoke {
		s.Outcome = stillOwed
	}
	return s
}

// gravity is the order of outcomes: a claim is the gravest of its criteria's.
var gravity = []Outcome{Met, Mended, Known, Missed, Unmeasured}

func worse(a, b Outcome) Outcome {
	return slices.MaxFunc([]Outcome{a, b}, func(x, y Outcome) int {
		return cmp.Compare(slices.Index(gravity, x), slices.Index(gravity, y))
	})
}

// Lacks is, if a claim has fewer seeds than it asks for, how many of how many, such as "seeds 1 of 5"; else "".
func (s *Standing) Lacks() string {
	if s.Form == "" || s.Seeds >= s.Entry.Seeds {
		return ""
	}
	return fmt.Sprintf("seeds %d of %d", s.Seeds, s.Entry.Seeds)
}

// Said describes the basis of the standing: the form and its seeds, or the reason why there is none.
func (s *Standing) Said() string {
	switch {
	case s.Outcome == untestable:
		return s.Entry.Untestable
	case s.Entry.Owed != "":
		return s.Entry.Owed
	case s.Form == "":
		return "not recorded"
	case s.Smoke:
		return fmt.Sprintf("a run at the published size; the quick form, a smoke test, has it %s", s.Small)
	}
	return cmp.Or(s.Lacks(), fmt.Sprintf("seeds %d", s.Seeds))
}

// Measured describes the criteria's measurements.
func (s *Standing) Measured() string {
	var parts []string
	for _, verdict := range s.Verdicts {
		parts = append(parts, verdict.Criterion.Name+" "+verdict.Measured)
	}
	return strings.Join(parts, "; ")
}

// Score counts what claims came to.
type Score struct {
	// Claims are all; Met, Missed and Untestable sum up to it with Owed. Unexplained are among the missed.
	Claims      int `json:"claims"`
	Met         int `json:"met"`
	Missed      int `json:"missed"`
	Unexplained int `json:"missed_without_reason"`
	Untestable  int `json:"untestable"`
	Owed        int `json:"owed"`
	// Thin are claims that are judged by fewer seeds than they ask for.
	Thin int `json:"fewer_seeds_than_asked"`
	// Printed are met printed numbers, OfPrinted the judged ones.
	Printed   int `json:"printed_numbers_met"`
	OfPrinted int `json:"printed_numbers_judged"`
}

// ScoreOf counts the claims among standings, of one source or of "" for all.
func ScoreOf(standings []Standing, source string) (n Score) {
	for i := range standings {
		s := &standings[i]
		if !s.Entry.Counts() || source != "" && s.Entry.Source != source {
			continue
		}
		n.Claims++
		met := s.Outcome.Holds()
		switch {
		case met:
			n.Met++
		case s.Outcome == untestable:
			n.Untestable++
		case s.Outcome == stillOwed:
			n.Owed++
		default:
			n.Missed++
			if s.Outcome != Known {
				n.Unexplained++
			}
		}
		judged := met || s.Outcome == Known || s.Outcome == Missed
		if judged && s.Lacks() != "" {
			n.Thin++
		}
		if judged && s.Entry.Grade == printedNumber {
			n.OfPrinted++
			if met {
				n.Printed++
			}
		}
	}
	return n
}

// String is the score: "n met, m missed, k untestable, j owed, of N".
func (n Score) String() string {
	text := fmt.Sprintf("claims: %d met, %d missed, %d untestable, %d owed, of %d", n.Met, n.Missed, n.Untestable, n.Owed,
		n.Claims)
	if n.Unexplained > 0 {
		text += fmt.Sprintf("; %d MISSED without a reason", n.Unexplained)
	}
	if n.Thin > 0 {
		text += fmt.Sprintf("; %d of the judged by fewer seeds than they ask for", n.Thin)
	}
	return text
}
