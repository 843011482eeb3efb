package reproduce

import (
	"cmp"
	"context"
)

// Paper is a publication.
type Paper struct {
	// Name is a short word for flags and folders, such as "article".
	Name string
	// Title is its title, Citation whom and where to find it.
	Title, Citation string

	// rows are the IDs of its rows, sets the columns that they may name.
	rows []string
	sets map[string][]columnValue
}

// Row is one published experiment.
type Row struct {
	// ID identifies it, such as "A10"; it is unique. Title describes its subject in a few words.
	ID, Title string
	// Source is its place in the paper, such as "Section IV-B, Figure 6(a)".
	Source string
	Paper  *Paper
	// Doubts name the doubtful claims that it is about, such as "D2".
	Doubts []string
	// Reading describes the gaps of the paper, and our reading of them.
	Reading string

	// File is the file that the row is in, "" for none; messages about its scenario name ScenarioFile.
	File, ScenarioFile string
	// Scenario is the text of the scenario, with its variants; its section sweep has the values
	// of keys and, with record: true, has the runs keep their time series. A row without one
	// computes.
	Scenario []byte
	// Runs names the folder of its runs if other rows of the same scenario share it, so that common runs
	// are made once; "" for a folder of its own.
	Runs string
	// Columns are settings for each of which all runs are made; none for a row that is judged once.
	Columns []Column
	// Seeds are the seeds of each run; none for the ones of the section sweep, or the scenario's own.
	Seeds []uint64
	// Quick is the form of every day, Full has the published size.
	Quick, Full form
	// Red is the reason why runs with a red or void verdict count even so; "" for a row whose figures must not be
	// believed then.
	Red string
	// Refusals gives a figure whose runs the scenario refuses the reason in place of values, such as an algorithm whose
	// packets lack the room. Without it the row has no figures then.
	Refusals bool

	// Measure reads the figures from runs that are done. It is a pure function of their files.
	Measure func(*Results) []Figure `json:"-"`
	// sketch gives the figures that Measure will have of runs that are only planned, nil if that is not known.
	sketch func(*Results) []Figure
	// Compute takes the place of Scenario and Measure for a row without runs, such as a formula.
	Compute func(ctx context.Context, quick bool) ([]Figure, error) `json:"-"`
	// inputs are the name of the measure that Compute calls, and what it computes from.
	inputs []any

	// Published are the printed figures; empty if the paper has no number.
	Published []published
	// Criteria are a registry's criteria of the row: Registry.With gives them.
	Criteria []Criterion
}

// scenarioFile is the name of its scenario in messages.
func (r *Row) scenarioFile() string { return cmp.Or(r.ScenarioFile, r.ID+".yaml") }

// columnNames are those of its columns, one "" for a row without.
func (r *Row) columnNames() (names []string) {
	for i := range r.Columns {
		names = append(names, r.Columns[i].Name)
	}
	if names == nil {
		return []string{""}
	}
	return names
}

// Column is a setting for carrying out and judging a row, such as the constants of an algorithm. A run that the
// settings do not change is made once.
type Column struct {
	Name string
	// Set are values of keys, by path as of --set; all columns of a row set the same keys.
	Set map[string]string
	// Beside marks a column that is printed and not counted: its misses do not need a reason.
	Beside bool
}

// form is the extent to which a row is carried out. The zero value is the whole scenario.
type form struct {
	// Set changes keys of the scenario for all variants, by path as of --set.
	Set map[string]string
	// Grid takes the place of values of the section sweep, by path.
	Grid map[string][]string
	// Variants are those to run; none for all. Seeds take the place of the row's.
	Variants []string
	Seeds    []uint64
	// About describes how it is smaller than the published experiment; "" if it is not.
	About string
}

// published is a number that was printed.
type published struct {
	// Column and Figure name the figure beside which it is printed.
	Column, Figure string
	Value          float64
	// Tolerance is the distance at which ours still agrees with it, as a share of it; 0 if criteria do not set one.
	Tolerance float64
	// Source is its place in print, such as "Table II"; for points read from a curve write "read from Figure 7".
	Source string
}

// Grade is the purpose of a criterion.
type Grade string

const (
	// Pass is for criteria that a faithful reproduction should meet.
	Pass Grade = "P"
	// Target is the number as it was published, with a tolerance.
	Target Grade = "T"
)

// Criterion is a condition on a row's figures.
type Criterion struct {
	// Entry is its entry.
	Entry *Entry `json:"-"`
	// Name is a word or two, such as "rate"; no two of a row have one. Text is the sentence.
	Name  string `json:"name"`
	Text  string `json:"text"`
	Grade Grade  `json:"grade"`
	// Expression is the condition as the registry writes it; Holds judges the figures by it, and returns the
	// measurement, such as "0.97".
	Expression string                       `json:"holds"`
	Holds      func(Figures) (bool, string) `json:"-"`
	// lacks are the figures that it names and that a row does not have, each with its place; nil if that is not known.
	lacks func(figures Figures, columns []string) []string
	// FullOnly marks a criterion that is judged in the full form only: About of the quick form gives the reason.
	FullOnly bool `json:"full_only,omitempty"`
	// Miss documents a known miss; nil if the criterion is to be met. In a row with columns it is about the counted
	// ones.
	Miss *miss `json:"-"`
}

// miss is the reason of a missed criterion.
type miss struct {
	// Why is the reason in a sentence or two. Command shows the cause; Unknown is set if it is not known.
	Why, Command string
	Unknown      bool
	// In is the form that misses it, "quick" or "full"; "" for both.
	In string
}
