package reproduce

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// A record is read again; a row with another result differs by name, one whose last digit differs does not; and a
// record made again is the same.
func TestRecorded(t *testing.T) {
	r := &Recorded{Format: RecordedFormat, Rows: map[string]*RecordedRow{}}
	j := newJudged(judgedRow(), false, []Figure{rate("", 4, 5, 6)})
	j.Seconds = 12.345
	if err := r.Add(j, 3); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	again, err := ReadRecorded(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	form := again.Of("X1", false)
	if form == nil || again.Of("X1", true) != nil || again.Of("X2", false) != nil ||
		form.Seconds != 12 || form.Models != 3 {
		t.Errorf("%+v", form)
	}
	if err := form.Differs(j); err != nil {
		t.Error(err)
	}
	j.Seconds = 15
	if err := again.Add(j, 3); err != nil || again.Of("X1", false).Seconds != 12 {
		t.Errorf("recorded again: %+v, %v", again.Of("X1", false), err)
	}
	for want, figures := range map[string][]Figure{
		"":                                   {rate("", 4, 5.00001, 6)},
		"rate is [4 5.01 6] and was [4 5 6]": {rate("", 4, 5.01, 6)},
		"rate is [4 5] and was [4 5 6]":      {rate("", 4, 5)},
		"rate is not measured any more\nrate (b) was not recorded": {rate("b", 4, 5, 6)},
	} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			said := ""
			if err := form.Differs(&Judged{Figures: figures}); err != nil {
				said = err.Error()
			}
			if said != want {
				t.Errorf("%v: %q, want %q", figures, said, want)
			}
		})
	}
	if err := r.Add(&Judged{Row: judgedRow(), Err: ErrUnfinished}, 3); err == nil {
		t.Error("a row without figures is recorded")
	}
	for _, bad := range []string{"", "{}", `{"format": 2}`, `{"format": 1, "row": {}}`, `{"format": 1, "rows": 3}`} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if _, err := ReadRecorded([]byte(bad)); err == nil {
				t.Errorf("%q is read", bad)
			}
		})
	}
}

// The page of recorded figures has rows of both forms, and leaves out unrecorded ones.
func TestMarkdown(t *testing.T) {
	r := &Recorded{Format: RecordedFormat, Rows: map[string]*RecordedRow{}}
	row, other := judgedRow(), judgedRow()
	other.ID = "X2"
	for _, full := range []bool{false, true} {
		if err := r.Add(newJudged(row, full, []Figure{rate("", 4, 5, 6)}), 1); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	if err := WriteMarkdown(&text, "# Top\n\n", []*Paper{paper}, []*Row{row, other}, &Registry{}, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| [X1](#x1-a-row) | A row | p | apart: 2 met, 1 missed, 2 MISSED, 1 no longer missed |" +
			" apart: 2 met, 2 missed, 2 MISSED, 1 no longer missed |",
		"| figure | unit | published | ours, quick | ours, full |",
		"| rate | Gb/s | 6 | 5.000 [4.000..6.000] | 5.000 [4.000..6.000] |",
		"Why: the port is slow (`rocelab run it`)"} {
		t.Run(fmt.Sprintf("%.50q", want), func(t *testing.T) {
			if !strings.Contains(strings.ReplaceAll(text.String(), "\n  ", " "), want) {
				t.Errorf("%q is missing in\n%s", want, text.String())
			}
		})
	}
	if strings.Contains(text.String(), "X2") {
		t.Error("a row is on the page that was not recorded")
	}
}

// The page for a browser has no script, and pictures with published points beside ours.
func TestPage(t *testing.T) {
	row := judgedRow()
	row.Published = append(row.Published, published{Figure: "RTT, n=4", Value: 7, Source: "read from Figure 1"})
	figures := []Figure{rate("", 4, 5, 6), {Name: "RTT, n=2", Unit: "us", Values: []float64{5}},
		{Name: "RTT, n=4", Unit: "us", Values: []float64{6}}}
	var text strings.Builder
	if err := Page(1, []*Judged{newJudged(row, false, figures)}).
		Print(&text, page.FormatHTML, page.Page{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"RTT, us by n", "ours: 2 5 (5 to 5); 4 6 (6 to 6);", "published: 4 7 (7 to 7);",
		"published: rate 6 (6 to 6);", "why: the port is slow", "Published: Table 1; read from Figure 1."} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%q is missing", want)
			}
		})
	}
	if strings.Contains(text.String(), "<script") {
		t.Error("the page has a script")
	}
}

// Figures that differ from the record are named, and so is a documented miss that is now met.
func TestRowsThatDiffer(t *testing.T) {
	row := &Row{ID: "X", Criteria: []Criterion{{
		Name:  "rate",
		Holds: must(`median("rate") >= 1`),
		Miss:  &miss{Why: "slow"},
	}}}
	judged := []*Judged{
		newJudged(row, false, []Figure{{Name: "rate", Values: []float64{2}}}),
	}
	recorded := &Recorded{Rows: map[string]*RecordedRow{}}
	if got := strings.Join(recorded.Differences(judged), "\n"); !strings.HasPrefix(got, "row X is not recorded") {
		t.Error(got)
	}
	recorded.Rows["X"] = &RecordedRow{Quick: &RecordedForm{Figures: []Figure{
		{Name: "rate", Values: []float64{3}}}}}
	want := "row X differs from the recorded one: rate is [2] and was [3]\nrow X documents a miss of rate that is " +
		"none"
	if got := strings.Join(recorded.Differences(judged), "\n"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
