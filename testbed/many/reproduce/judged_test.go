package reproduce

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/page"
)

var paper = &Paper{Name: "p", Title: "A paper", Citation: "somebody"}

// must returns a judge of figures by an expression.
func must(text string) func(Figures) (bool, string) {
	expression, err := newExpression(text)
	if err != nil {
		panic(err)
	}
	return expression.holds((*expressionError).Error)
}

// judgedRow is a row with a criterion of each outcome: its rate is 5.
func judgedRow() *Row {
	holds := func(bound float64) func(Figures) (bool, string) {
		return must(fmt.Sprintf(`median("rate") >= %v`, bound))
	}
	known := &miss{Why: "the port is slow", Command: "rocelab run it"}
	return &Row{
		ID:        "X1",
		Title:     "A row",
		Paper:     paper,
		Published: []published{{Figure: "rate", Value: 6, Source: "Table 1"}},
		Criteria: []Criterion{
			{Name: "met", Text: "5 or more", Grade: Pass, Holds: holds(5)},
			{Name: "missed", Text: "6 or more", Grade: Pass, Holds: holds(6)},
			{
				Name:  "known",
				Text:  "7 or more",
				Grade: Target,
				Holds: holds(7),
				Miss:  known,
			},
			{
				Name:  "mended",
				Text:  "1 or more",
				Grade: Pass,
				Holds: holds(1),
				Miss:  known,
			},
			{
				Name:     "full",
				Text:     "9 or more",
				Grade:    Pass,
				Holds:    holds(9),
				FullOnly: true,
			},
			{
				Name:  "known in full",
				Text:  "8 or more",
				Grade: Pass,
				Holds: holds(8),
				Miss:  &miss{Why: "slow", In: "full"},
			},
		},
	}
}

func rate(column string, values ...float64) Figure {
	return Figure{Column: column, Name: "rate", Unit: "Gb/s", Values: values}
}

// Each criterion has its outcome, a documented miss is none in the form that it is not about,
// and a miss without a reason is red.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		full bool
		want []Outcome
	}{
		{false, []Outcome{Met, Missed, Known, Mended, Missed}},
		{true, []Outcome{Met, Missed, Known, Mended, Missed, Known}},
	} {
		t.Run(fmt.Sprintf("full=%v", c.full), func(t *testing.T) {
			j := newJudged(judgedRow(), c.full, []Figure{rate("", 4, 5, 6)})
			var got []Outcome
			for _, v := range j.Verdicts {
				got = append(got, v.Outcome)
			}
			if !slices.Equal(got, c.want) || j.Err != nil || !j.Red() {
				t.Errorf("full %v: %v, red %v, %v, want %v", c.full, got, j.Red(), j.Err, c.want)
			}
		})
	}
	j := newJudged(judgedRow(), false, []Figure{rate("", 5)})
	if got, want := Count([]*Judged{j}), (Counts{
		Rows: 1,
		Apart: tally{
			Met:    2,
			Known:  1,
			Missed: 2,
			Mended: 1,
		},
	}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	j.Row.Criteria = j.Row.Criteria[:1]
	if again := newJudged(j.Row, false, j.Figures); again.Red() {
		t.Error("a row that meets all is red")
	}
}

// A column that is printed beside is judged and not counted; a criterion sees the figures of its column first, then the
// ones without a column, and others by name.
func TestColumns(t *testing.T) {
	row := judgedRow()
	row.Columns = []Column{{Name: "a"}, {Name: "b", Beside: true}}
	row.Criteria = []Criterion{{
		Name:  "more",
		Text:  "more than others",
		Grade: Pass,
		Holds: must(`median("rate") > median("rate", "other") + median("shared") and column != ""`),
	}}
	figures := []Figure{rate("a", 5), rate("b", 3), rate("other", 2), {Name: "shared", Values: []float64{2}}}
	j := newJudged(row, false, figures)
	if j.Err != nil || j.Verdicts[0].Outcome != Met || j.Verdicts[1].Outcome != Beside || j.Red() {
		t.Errorf("%v, %+v", j.Err, j.Verdicts)
	}
	if got, want := Count([]*Judged{j}), (Counts{Rows: 1, Apart: tally{Met: 1}}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

// A criterion that needs an unmeasured figure, and a figure that is not a number, fail the row by name.
func TestMistakesOfRows(t *testing.T) {
	for want, figures := range map[string][]Figure{
		`figures that were not measured: 1:1: there is no figure "rate"`: {{Name: "rates", Values: []float64{1}}},
		`figure "rate" of column "" is NaN`:                              {rate("", math.NaN())},
		`figure "rate" of column "" is +Inf`:                             {rate("", math.Inf(1))},
	} {
		t.Run(want, func(t *testing.T) {
			j := newJudged(judgedRow(), false, figures)
			if j.Err == nil || !strings.Contains(j.Err.Error(), want) || !j.Red() {
				t.Errorf("%v, want %s", j.Err, want)
			}
			for _, v := range j.Verdicts {
				if unmeasured := strings.Contains(want, "not measured"); (v.Outcome == Unmeasured) != unmeasured {
					t.Errorf("%s: the criterion %s is %s", want, v.Criterion.Name, v.Outcome)
				}
			}
			if _, err := json.Marshal(Documented(1, []*Judged{j})); err != nil {
				t.Error(err)
			}
		})
	}
}

// The table has the published figures beside ours, and for a known miss the reason and the command that shows it;
// readers look for the names of outcomes.
func TestPrint(t *testing.T) {
	var text strings.Builder
	if err := newJudged(judgedRow(), false, []Figure{rate("", 4, 5, 6)}).Document().
		Print(&text, page.FormatTable, page.Page{Width: 120}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"X1  A row (p; quick)",
		"│         6 │ 5.000 [4.000..6.000] │", "MISSED      P missed: 6 or more",
		"missed      T known: 7 or more: 5.000 [4.000..6.000] Gb/s", "why: the port is slow", "see: rocelab run it",
		"no longer missed P mended"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%q is missing in\n%s", want, text.String())
			}
		})
	}
}

// A fault is caught by criteria that are met without it and missed with it.
func TestCaught(t *testing.T) {
	row := judgedRow()
	row.Criteria = row.Criteria[:3]
	document := func(value float64) *rowDocument {
		return &Documented(1, []*Judged{newJudged(row, false, []Figure{rate("", value)})}).Rows[0]
	}
	for _, c := range []struct {
		without, with float64
		want, unseen  []string
	}{
		{5, 4, []string{"met"}, nil},
		{6, 5, []string{"missed"}, []string{"met"}},
		{6, 4, []string{"met", "missed"}, nil},
		{5, 5.5, nil, []string{"met"}},
		{7, 6.5, nil, []string{"met", "missed"}}, // of grade T alone
		{5, math.NaN(), []string{"met"}, nil},
	} {
		t.Run(fmt.Sprintf("without=%v,with=%v", c.without, c.with), func(t *testing.T) {
			without := document(c.without)
			got, err := caught(without, document(c.with), "")
			if left := unseen(without, got); err != nil || !slices.Equal(got, c.want) || !slices.Equal(left, c.unseen) {
				t.Errorf("%v to %v: caught by %q, unseen %q, %v, want %q and %q", c.without, c.with, got, left, err, c.want,
					c.unseen)
			}
		})
	}
	if got, err := caught(document(7), document(6.5), "known"); err != nil || !slices.Equal(got, []string{"known"}) {
		t.Errorf("a fault that names a criterion of grade T is caught by %q, %v", got, err)
	}
	if _, err := caught(document(math.NaN()), document(1), ""); err == nil {
		t.Error("a row without figures tells something of a fault")
	}
	invalid := &Judged{Row: row, Err: &invalidError{errors.New("no such key")}}
	with := &Documented(1, []*Judged{invalid}).Rows[0]
	if by, err := caught(document(5), with, ""); err == nil || !strings.Contains(err.Error(), "no such key") {
		t.Errorf("a fault that leaves no run is seen by %q, %v", by, err)
	}
}

// Numbers are printed with four digits.
func TestNumbers(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 5: "5.000", 0.98765: "0.9877", 26.1929: "26.19", 496.2: "496.2", 4782.4: "4782", 99651: "99651",
		0.00012345: "0.0001234", 3e9: "3e+09", -1.5: "-1.500",
	} {
		t.Run(fmt.Sprintf("value=%v", value), func(t *testing.T) {
			if got := number(value); got != want {
				t.Errorf("%v is %s, want %s", value, got, want)
			}
		})
	}
}

// A fault is seen by the criterion that it is for, else it survives, and a change that mends by one that is missed
// without it; criteria that no fault turns red are named. Red: without the exchange in judgeFaults.
func TestFaultsAreJudged(t *testing.T) {
	document := func(a, b, c Outcome) *rowDocument {
		d := &rowDocument{ID: "A10"}
		for i, outcome := range []Outcome{a, b, c} {
			d.Criteria = append(d.Criteria, criterionDocument{
				Name:    string("abc"[i]),
				Grade:   Pass,
				Outcome: outcome,
			})
		}
		return d
	}
	const met, missed = Met, Missed
	faults := []*Fault{{Row: "A10", Name: "first"}, {Row: "A10", Name: "second", Criterion: "a"},
		{Row: "A10", Name: "third"}, {Row: "C3", Name: "fourth", Criterion: "b", Mends: true},
		{Row: "C3", Name: "fifth", Mends: true}}
	report := judgeFaults(faults, map[string]*rowDocument{"A10": document(met, met, met),
		"C3": document(missed, Known, missed)},
		[]*rowDocument{document(met, missed, met), document(met, missed, met), document(met, met, met),
			document(missed, met, missed), document(missed, missed, missed)})
	if !report.Survived() {
		t.Error("no fault survives")
	}
	text := strings.Join(report.Lines(), "\n") + "\n"
	for _, want := range []string{"seen: A10: first: by b", "SURVIVES: A10: second: seen by b, and not by a",
		"SURVIVES: A10: third\n", "no fault turns red: A10: a, c", "seen: C3: fourth: by b (without it ",
		"SURVIVES: C3: fifth\n", "5 faults: 2 seen, 3 survive"} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		})
	}
}
