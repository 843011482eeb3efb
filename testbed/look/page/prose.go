package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/internal/terminal"
)

// leastProse is the minimum width of a column of sentences, in columns of the page.
const leastProse = 20

func (t *Table) hasProse() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Prose })
}

// Fits reports whether a table is no wider than the page.
func (p Page) Fits(t *Table) bool { return p.Width <= 0 || p.wholeGrid(t).width() <= p.Width }

// wholeGrid is the grid of a table with texts and details.
func (p Page) wholeGrid(t *Table) *grid {
	return p.grid(t, func(c Cell) string { return strings.TrimSpace(p.marked(c) + " " + c.Detail) })
}

// prose lays out a table with columns of sentences, which share what the other columns leave of the page: a column that
// needs less than its share leaves the rest to the others. If that is too little, the last of them is in lines
// below the table.
func (p Page) prose(t *Table) string {
	g := p.wholeGrid(t)
	widths := g.widths()
	var columns []int
	room := p.Width - g.width()
	for i, c := range t.Columns {
		if c.Prose {
			columns, room = append(columns, i), room+widths[i]
		}
	}
	if p.Width > 0 && len(columns) > 1 && room < leastProse*len(columns) {
		return p.withoutLast(t, columns[len(columns)-1])
	}
	slices.SortStableFunc(columns, func(a, b int) int { return cmp.Compare(widths[a], widths[b]) })
	for n, column := range columns {
		share := max(leastProse, room/(len(columns)-n))
		room -= min(share, widths[column])
		if p.Width > 0 {
			g.columns[column].Title = text.WrapSoft(g.columns[column].Title, share)
		}
		for i, row := range t.Rows { // with the ends of lines that its sentences have
			sentences := terminal.Text(row[column].Text)
			var lines []string
			for line := range strings.SplitSeq(sentences, "\n") {
				if p.Width > 0 {
					line = text.WrapSoft(line, share)
				}
				lines = append(lines, line)
			}
			g.rows[i][column] = strings.Join(lines, "\n")
		}
	}
	return g.render(nil)
}

// withoutLast lays out the table without a column, whose sentences follow.
func (p Page) withoutLast(t *Table, column int) string {
	less := &Table{Columns: slices.Delete(slices.Clone(t.Columns), column, column+1)}
	var below strings.Builder
	for _, row := range t.Rows {
		less.Rows = append(less.Rows, slices.Delete(slices.Clone(row), column, column+1))
		if row[column].Text != "" {
			below.WriteString("\n" + p.Fold(row[0].Text+": "+row[column].Text, Indent))
		}
	}
	return p.prose(less) + below.String()
}
