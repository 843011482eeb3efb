package reproduce

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/page"
)

// prose folds the prose of a page.
var prose = page.Page{Width: page.FixedWidth}

// WriteMarkdown writes the record as a page: the score of a registry's claims, for each source the right and wrong
// ones, and then each row with the published figures, the measurements, and the results of its criteria. Rows without
// recorded figures are left out. Introduction comes first.
func WriteMarkdown(to io.Writer, introduction string, papers []*Paper, rows []*Row, registry *Registry,
	recorded *Recorded) error {
	m := &markdown{}
	m.text.WriteString(introduction)
	forms := map[*Row][]*Judged{}
	for _, row := range rows {
		for _, full := range []bool{false, true} {
			if form := recorded.Of(row.ID, full); form != nil {
				judged := newJudged(row, full, form.Figures)
				judged.Seconds = form.Seconds
				forms[row] = append(forms[row], judged)
			}
		}
	}
	standings := registry.Standings(rows, recorded)
	m.score(papers, standings)
	for _, paper := range papers {
		m.claims(paper, standings, rows)
	}
	m.apart(standings)
	m.line("\n## Rows\n")
	m.summary(rows, forms)
	for _, paper := range papers {
		m.line("\n## Rows of %s\n", paper.Name)
		m.fold("%s, %s: `rocelab reproduce --paper %s` runs these rows.", paper.Title, paper.Citation, paper.Name)
		for _, row := range rows {
			if row.Paper == paper && len(forms[row]) > 0 {
				m.row(row, forms[row], recorded)
			}
		}
	}
	_, err := io.WriteString(to, m.text.String())
	return err
}

type markdown struct{ text strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.text, format+"\n", args...) }

func (m *markdown) fold(format string, args ...any) {
	m.line("%s", prose.Fold(fmt.Sprintf(format, args...), 0))
}

// item is an entry of a list, its later lines indented.
func (m *markdown) item(format string, args ...any) {
	m.line("%s", prose.Fold("- "+fmt.Sprintf(format, args...), 2))
}

// cells is a row of a table.
func (m *markdown) cells(cells ...string) {
	for i := range cells {
		cells[i] = strings.ReplaceAll(cells[i], "|", "\\|")
	}
	m.line("| %s |", strings.Join(cells, " | "))
}

// head begins a table.
func (m *markdown) head(cells ...string) {
	m.cells(cells...)
	m.line("|%s", strings.Repeat("---|", len(cells)))
}

// summary is the table of all rows.
func (m *markdown) summary(rows []*Row, forms map[*Row][]*Judged) {
	m.head("row", "what", "paper", "quick", "full")
	for _, row := range rows {
		if len(forms[row]) == 0 {
			continue
		}
		said := [2]string{"-", "-"}
		if reflect.DeepEqual(row.Quick, row.Full) {
			said[1] = "as quick"
		}
		for _, judged := range forms[row] {
			at := 0
			if judged.Full {
				at = 1
			}
			said[at] = judged.short()
		}
		m.cells(fmt.Sprintf("[%s](#%s)", row.ID, anchor(row)), row.Title, row.Paper.Name, said[0], said[1])
	}
}

// Overview is a table of rows: what the criteria of each came to.
func Overview(rows []*Judged) *page.Table {
	table := page.New("row", "paper", "what", "criteria")
	for _, row := range rows {
		table.Add(row.Row.ID, row.Row.Paper.Name, row.Row.Title, row.short())
	}
	return table
}

// short counts the claims and the other criteria of a row in a few words.
func (j *Judged) short() string {
	n := Count([]*Judged{j})
	none := tally{}
	switch {
	case j.Err != nil:
		return "no figures"
	case n.Claims == none && n.Apart == none:
		return "reported"
	case n.Apart == none:
		return "claims: " + n.Claims.String()
	case n.Claims == none:
		return "apart: " + n.Apart.String()
	}
	return fmt.Sprintf("claims: %v; apart: %v", n.Claims, n.Apart)
}

// anchor is where GitHub puts the heading of a row.
func anchor(row *Row) string {
	var b strings.Builder
	for _, char := range strings.ToLower(row.ID + " " + row.Title) {
		switch {
		case char >= 'a' && char <= 'z', char >= '0' && char <= '9', char == '-', char == '_':
			b.WriteRune(char)
		case char == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// row is the section of a row.
func (m *markdown) row(row *Row, forms []*Judged, recorded *Recorded) {
	m.line("\n### %s %s\n", row.ID, row.Title)
	if row.Source != "" {
		m.item("published: %s", row.Source)
	}
	if row.Reading != "" {
		m.item("read here: %s", row.Reading)
	}
	for _, doubt := range row.Doubts {
		m.item("doubtful claim [%s](doubts/%[1]s.md)", doubt)
	}
	for _, judged := range forms {
		form := recorded.Of(row.ID, judged.Full)
		about := ""
		if text := row.formOf(judged.Full).About; text != "" {
			about = ", " + text
		}
		m.item("`rocelab reproduce %s --%s`%s: %v seconds of one processor, version %d of the models", row.ID,
			formName(judged.Full), about, form.Seconds, form.Models)
	}
	m.line("")
	m.figures(row, forms)
	for _, judged := range forms {
		if len(judged.Verdicts) == 0 {
			continue
		}
		m.line("\nThe %s form:\n", formName(judged.Full))
		for _, verdicts := range judged.byCriterion() {
			m.criterion(verdicts)
		}
	}
}

// figures is the table of a row's figures: a line each, and a column for each of its columns in
// each form.
func (m *markdown) figures(row *Row, forms []*Judged) {
	head := []string{"figure", "unit"}
	if len(row.Published) > 0 {
		head = append(head, "published")
	}
	for _, judged := range forms {
		for _, column := range judged.columns() {
			title := heading(column)
			if len(forms) > 1 {
				title += ", " + formName(judged.Full)
			}
			head = append(head, title)
		}
	}
	m.head(head...)
	done := map[string]bool{}
	for _, first := range forms {
		names, units := first.names()
		for i, name := range names {
			if done[name] {
				continue
			}
			done[name] = true
			line := []string{name, units[i]}
			if len(row.Published) > 0 {
				line = append(line, first.published(name))
			}
			for _, judged := range forms {
				for _, column := range judged.columns() {
					text := ""
					if f := judged.figure(column, name); f != nil {
						text = f.String()
					}
					line = append(line, text)
				}
			}
			m.cells(line...)
		}
	}
}

// criterion is the result of a criterion in each of its columns.
func (m *markdown) criterion(verdicts []verdict) {
	c := verdicts[0].Criterion
	what := fmt.Sprintf("%s (%s%s), %s", c.Name, c.Grade, c.kind(), c.Text)
	if len(verdicts) == 1 {
		m.item("%s: %s: %s%s", verdicts[0].Outcome, what, verdicts[0].Measured, verdicts[0].inProse())
		return
	}
	m.item("%s:", what)
	for i := range verdicts {
		v := &verdicts[i]
		m.line("%s", prose.Fold(fmt.Sprintf("  - %s: %s: %s%s", v.Column, v.Outcome, v.Measured, v.inProse()), 4))
	}
}

// inProse gives the reason of a known miss in a sentence.
func (v *verdict) inProse() string {
	if v.Outcome != Known {
		return ""
	}
	text := ". Why: " + v.Criterion.Miss.Why
	if command := v.Criterion.Miss.Command; command != "" {
		return text + " (`" + command + "`)"
	}
	return text + unknownCause
}

// kind returns the kind of a criterion that is not a claim's, ", control", and "" for a claim's.
func (c *Criterion) kind() string {
	if c.Entry == nil || c.Entry.Counts() {
		return ""
	}
	return ", " + string(c.Entry.Kind)
}
