package reproduce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// where names the experiment, its paper and the form.
func (j *Judged) where() string {
	parts := []string{j.Row.Paper.Name, j.Row.Source, j.form()}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// form describes how the form is smaller than the published experiment.
func (j *Judged) form() string {
	name, form := formName(j.Full), j.Row.formOf(j.Full)
	if form.About == "" {
		return name
	}
	return name + ": " + form.About
}

// columns are the words under which figures are printed, in their order.
func (j *Judged) columns() (list []string) {
	for i := range j.Figures {
		if !slices.Contains(list, j.Figures[i].Column) {
			list = append(list, j.Figures[i].Column)
		}
	}
	return list
}

// names are the figures' names with their units, in their order.
func (j *Judged) names() (names, units []string) {
	for i := range j.Figures {
		if name := j.Figures[i].Name; !slices.Contains(names, name) {
			names, units = append(names, name), append(units, j.Figures[i].Unit)
		}
	}
	return names, units
}

// figure is a figure in a column, nil if it was not measured there.
func (j *Judged) figure(column, name string) *Figure {
	for i := range j.Figures {
		if f := &j.Figures[i]; f.Column == column && f.Name == name {
			return f
		}
	}
	return nil
}

// published returns the printed values of a figure.
func (j *Judged) published(name string) string {
	var parts []string
	for i := range j.Row.Published {
		p := &j.Row.Published[i]
		if p.Figure != name {
			continue
		}
		text := strconv.FormatFloat(p.Value, 'f', -1, 64) // as it was printed
		if p.Column != "" && len(j.columns()) > 1 {
			text = p.Column + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// heading returns the title of a column.
func heading(column string) string {
	if column == "" {
		return "ours"
	}
	return column
}

// table has the figures: a row each, and a column for each of theirs.
func (j *Judged) table() *page.Table {
	t := &page.Table{Columns: []page.Column{{Title: "figure", Left: true}, {Title: "unit", Left: true}}}
	if len(j.Row.Published) > 0 {
		t.Columns = append(t.Columns, page.Column{Title: "published"})
	}
	for _, column := range j.columns() {
		t.Columns = append(t.Columns, page.Column{Title: heading(column)})
	}
	names, units := j.names()
	for i, name := range names {
		cells := page.Text(name, units[i])
		if len(j.Row.Published) > 0 {
			cells = append(cells, page.Cell{Text: j.published(name)})
		}
		for _, column := range j.columns() {
			text := ""
			if f := j.figure(column, name); f != nil {
				text = f.String()
			}
			cells = append(cells, page.Cell{Text: text})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// byCriterion are the verdicts, grouped by criterion.
func (j *Judged) byCriterion() (list [][]verdict) {
	for _, v := range j.Verdicts {
		if n := len(list); n > 0 && list[n-1][0].Criterion == v.Criterion {
			list[n-1] = append(list[n-1], v)
		} else {
			list = append(list, []verdict{v})
		}
	}
	return list
}

// reason returns the reason of a known miss.
func (v *verdict) reason() []string {
	switch {
	case v.Outcome == Mended:
		return []string{"a miss is documented that is none: take its reason away"}
	case v.Outcome != Known:
		return nil
	case v.Criterion.Miss.Command == "":
		return []string{"why: " + v.Criterion.Miss.Why + unknownCause}
	}
	return []string{"why: " + v.Criterion.Miss.Why, "see: " + v.Criterion.Miss.Command}
}

// unknownCause ends a reason that no command shows.
const unknownCause = " (cause unknown)"

// Counts counts what rows came to that were carried out.
type Counts struct {
	// Rows are all, Failed those without figures, Smaller those in a form that is smaller than what counts.
	Rows    int `json:"rows"`
	Failed  int `json:"failed"`
	Smaller int `json:"smaller_than_published"`
	// Claims are sentences of sources, Apart criteria that no source claims.
	Claims tally `json:"claims"`
	Apart  tally `json:"apart"`
}

// tally counts outcomes.
type tally struct {
	Met    int `json:"met"`
	Known  int `json:"missed_with_reason"`
	Missed int `json:"missed"`
	// Mended are among the met.
	Mended int `json:"no_longer_missed"`
}

func (t *tally) add(outcome Outcome) {
	switch outcome {
	case Met:
		t.Met++
	case Mended:
		t.Met++
		t.Mended++
	case Known:
		t.Known++
	case Missed:
		t.Missed++
	}
}

// String is such as "3 met, 1 missed".
func (t tally) String() string {
	text := fmt.Sprintf("%d met", t.Met)
	if t.Known > 0 {
		text += fmt.Sprintf(", %d missed", t.Known)
	}
	if t.Missed > 0 {
		text += fmt.Sprintf(", %d MISSED", t.Missed)
	}
	if t.Mended > 0 {
		text += fmt.Sprintf(", %d no longer missed", t.Mended)
	}
	return text
}

// Count counts the results of rows: a claim once, for any number of its criteria.
func Count(rows []*Judged) (n Counts) {
	for _, row := range rows {
		n.Rows++
		if row.Err != nil {
			n.Failed++
			continue
		}
		if row.Row.formOf(row.Full).About != "" {
			n.Smaller++
		}
		claims := map[*Entry]Outcome{}
		for i := range row.Verdicts {
			verdict := &row.Verdicts[i]
			entry := verdict.Criterion.Entry
			switch {
			case row.Row.beside(verdict.Column):
			case entry == nil || !entry.Counts():
				n.Apart.add(verdict.Outcome)
			case claims[entry] == "":
				claims[entry] = verdict.Outcome
			default:
				claims[entry] = worse(claims[entry], verdict.Outcome)
			}
		}
		for _, outcome := range claims {
			n.Claims.add(outcome)
		}
	}
	return n
}

// beside reports whether a column does not count.
func (r *Row) beside(column string) bool {
	return slices.ContainsFunc(r.Columns, func(c Column) bool { return c.Name == column && c.Beside })
}

// String is the line that ends a table.
func (n Counts) String() string {
	text := fmt.Sprintf("rows: %d; claims: %v; apart: %v", n.Rows, n.Claims, n.Apart)
	if n.Smaller > 0 {
		text += fmt.Sprintf("; a smoke test: %d in a form smaller than published, which is not scored", n.Smaller)
	}
	if n.Failed > 0 {
		text += fmt.Sprintf("; %s no figures", unit.CountOf(n.Failed, "row has", "rows have"))
	}
	return text
}
