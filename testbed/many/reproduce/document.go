package reproduce

import "errors"

// Document is the result of rows, for programs.
type Document struct {
	// Models is the version of the models.
	Models int           `json:"models"`
	Rows   []rowDocument `json:"rows"`
	Counts Counts        `json:"counts"`
}

// rowDocument is the result of one row.
type rowDocument struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Paper  string `json:"paper"`
	Source string `json:"source,omitempty"`
	// Form is "quick" or "full", About describes how it is smaller than the published experiment.
	Form   string   `json:"form"`
	About  string   `json:"about,omitempty"`
	Doubts []string `json:"doubts,omitempty"`
	// Error is the reason why there are no figures.
	Error string `json:"error,omitempty"`
	// Invalid is set if the reason is a lack of valid runs.
	Invalid  bool                `json:"invalid,omitempty"`
	Figures  []figureDocument    `json:"figures"`
	Criteria []criterionDocument `json:"criteria"`
	// Runs say where the runs behind the figures are.
	Runs []runDocument `json:"runs,omitempty"`
}

// figureDocument is a figure beside the published ones.
type figureDocument struct {
	Figure
	Median    float64   `json:"median"`
	Least     float64   `json:"least"`
	Largest   float64   `json:"largest"`
	Published []float64 `json:"published,omitempty"`
}

// criterionDocument is a criterion of a row in one of its columns.
type criterionDocument struct {
	// Entry is its entry in the registry, Kind the kind of an entry apart from claims; "" for a claim.
	Entry    string  `json:"entry,omitempty"`
	Kind     kind    `json:"kind,omitempty"`
	Name     string  `json:"name"`
	Text     string  `json:"text"`
	Grade    Grade   `json:"grade"`
	Column   string  `json:"column,omitempty"`
	Outcome  Outcome `json:"outcome"`
	Measured string  `json:"measured"`
	// Why and Command are the documented reason of a miss, and what shows it.
	Why     string `json:"why,omitempty"`
	Command string `json:"command,omitempty"`
}

// runDocument is a run of a row and the folder that it is in.
type runDocument struct {
	Run    string `json:"run"`
	Folder string `json:"folder"`
}

// Documented returns rows as a document.
func Documented(models int, rows []*Judged) *Document {
	document := &Document{Models: models, Counts: Count(rows), Rows: []rowDocument{}}
	for _, row := range rows {
		document.Rows = append(document.Rows, row.document())
	}
	return document
}

func (j *Judged) document() rowDocument {
	d := rowDocument{
		ID:       j.Row.ID,
		Title:    j.Row.Title,
		Paper:    j.Row.Paper.Name,
		Source:   j.Row.Source,
		Form:     formName(j.Full),
		About:    j.Row.formOf(j.Full).About,
		Doubts:   j.Row.Doubts,
		Figures:  []figureDocument{},
		Criteria: []criterionDocument{},
		Runs:     j.Runs,
	}
	if j.Err != nil {
		_, d.Invalid = errors.AsType[*invalidError](j.Err)
		d.Error = j.Err.Error()
		return d // figures of such a row may be no numbers
	}
	for _, f := range j.Figures {
		if len(f.Values) == 0 {
			continue
		}
		figure := figureDocument{Figure: f, Median: f.Median(), Least: f.Least(), Largest: f.Largest()}
		for _, p := range j.Row.publishedOf(f) {
			figure.Published = append(figure.Published, p.Value)
		}
		d.Figures = append(d.Figures, figure)
	}
	for _, verdict := range j.Verdicts {
		c := criterionDocument{
			Name:     verdict.Criterion.Name,
			Text:     verdict.Criterion.Text,
			Grade:    verdict.Criterion.Grade,
			Column:   verdict.Column,
			Outcome:  verdict.Outcome,
			Measured: verdict.Measured,
		}
		if entry := verdict.Criterion.Entry; entry != nil {
			c.Entry, c.Kind = entry.ID, entry.Kind
		}
		if verdict.Outcome == Known {
			c.Why, c.Command = verdict.Criterion.Miss.Why, verdict.Criterion.Miss.Command
		}
		d.Criteria = append(d.Criteria, c)
	}
	return d
}

// publishedOf are the numbers that were printed of a figure: of its column, or of none where
// the row names none.
func (r *Row) publishedOf(f Figure) (list []published) {
	for _, p := range r.Published {
		if p.Figure == f.Name && (p.Column == "" || p.Column == f.Column) {
			list = append(list, p)
		}
	}
	return list
}

// formName is "quick" or "full".
func formName(full bool) string {
	if full {
		return "full"
	}
	return "quick"
}

func (r *Row) formOf(full bool) *form {
	if full {
		return &r.Full
	}
	return &r.Quick
}
