package page

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/internal/terminal"
)

// Table is rows and columns of cells.
type Table struct {
	// Columns are the columns; the first names the rows.
	Columns []Column
	Rows    [][]Cell
	// Details is the title of the cells' details if they have a table of
	// their own; "" if they need none.
	Details string
	// Caption stands above the table, "" for none.
	Caption string
	// Best explains the mark of the best cells and Signs other signs in cells, "" if there is none; LeftOut describes
	// the omissions of the table.
	Best, Signs, LeftOut string
}

// notes returns the lines below the table; mark is the mark of the best cells.
func (t *Table) notes(mark string) (lines []string) {
	legend := t.Signs
	if t.Best != "" {
		legend = strings.TrimSuffix(mark+t.Best+"; "+t.Signs, "; ")
	}
	if legend != "" {
		lines = append(lines, legend)
	}
	if t.LeftOut != "" {
		lines = append(lines, t.LeftOut)
	}
	return lines
}

// Column heads a column.
type Column struct {
	Title string
	// Key is its name in JSON and CSV, with its unit; "" for the title. Doc is its documentation.
	Key, Doc string
	// Left is set if its cells are aligned to the left, not to the right.
	Left bool
	// Joined is set if it belongs to the column before and is never separated from it.
	Joined bool
	// Prose is set if its cells are sentences, folded to the width that the other columns leave.
	Prose bool
}

// Cell is the content of a row and column.
type Cell struct {
	Text string
	// Value is the value in JSON and CSV, exact and in the unit of the column's key; nil for the text. Doc is its
	// documentation.
	Value any
	Doc   string
	// Detail comes after the text if there is room. Alone replaces it in a table of details, without a text to explain
	// it: with a unit, and the same one in the whole row; "" for Detail.
	Detail, Alone string
	// Best marks the best cell of a row: with a star, on a terminal with
	// colours in bold too.
	Best bool
	// Ink is the colour of the text on a terminal that knows colours.
	Ink Ink
}

// Text returns cells without details.
func Text(texts ...string) (cells []Cell) {
	for _, t := range texts {
		cells = append(cells, Cell{Text: t})
	}
	return cells
}

// New returns a table with columns of these titles, for Add.
func New(titles ...string) *Table {
	t := &Table{}
	for _, title := range titles {
		t.Columns = append(t.Columns, Column{Title: title})
	}
	return t
}

// Add adds a row of values in their printed form. A column of strings is aligned to the left, one of numbers with any
// unit to the right.
func (t *Table) Add(values ...any) {
	var row []Cell
	for i, v := range values {
		row = append(row, Cell{Text: fmt.Sprint(v)})
		t.Columns[i].Left = reflect.ValueOf(v).Kind() == reflect.String
	}
	t.Rows = append(t.Rows, row)
}

// Render lays a table out; the last line has no end.
func (p Page) Render(t *Table) string {
	if t.hasProse() {
		return p.prose(t)
	}
	whole := p.wholeGrid(t)
	if p.Width <= 0 || whole.width() <= p.Width {
		return whole.render(nil)
	}
	if !t.hasDetails() {
		return p.fit(whole)
	}
	texts, details := p.grid(t, p.marked), p.grid(t, func(c Cell) string { return cmp.Or(c.Alone, c.Detail) })
	between := "\n"
	if t.Details != "" {
		between = "\n\n" + t.Details + "\n"
	}
	return p.fit(texts.filled()) + between + p.fit(details.filled().withoutEmpty())
}

// Markdown prints a table for a page without width. Sentences keep the ends of their lines.
func (t *Table) Markdown() string {
	g := Page{}.grid(t, func(c Cell) string {
		s := c.Text
		if c.Best {
			s = "**" + s + "**"
		}
		return strings.TrimSpace(s + " " + c.Detail)
	})
	for i, c := range t.Columns {
		for n, row := range t.Rows {
			if c.Prose && strings.Contains(row[i].Text, "\n") {
				g.rows[n][i] = terminal.Text(row[i].Text)
			}
		}
	}
	return g.writer(nil).RenderMarkdown()
}

func (p Page) marked(c Cell) string {
	switch {
	case c.Best:
		return p.Bold("* " + c.Text)
	case c.Ink != Plain && p.Colour:
		return inks[c.Ink].EscapeSeq() + c.Text + text.EscapeReset
	}
	return c.Text
}

func (t *Table) hasDetails() bool {
	return slices.ContainsFunc(t.Rows, func(row []Cell) bool {
		return slices.ContainsFunc(row, func(c Cell) bool { return c.Detail != "" })
	})
}

// writer lays the grid out: the first column and those given, all for nil.
func (g *grid) writer(columns []int) table.Writer {
	if columns == nil {
		for i := range g.columns[1:] {
			columns = append(columns, i+1)
		}
	}
	columns = append([]int{0}, columns...)
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	header := table.Row{}
	var configs []table.ColumnConfig
	for n, i := range columns {
		header = append(header, g.columns[i].Title)
		c := table.ColumnConfig{Number: n + 1}
		if !g.columns[i].Left {
			c.Align, c.AlignHeader = text.AlignRight, text.AlignRight
		}
		if n > 0 && g.most > 0 {
			c.WidthMax, c.WidthMaxEnforcer = g.most, text.WrapText
		}
		configs = append(configs, c)
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	for _, row := range g.rows {
		line, filled := table.Row{}, !g.sparse
		for n, i := range columns {
			line, filled = append(line, row[i]), filled || n > 0 && row[i] != ""
		}
		if filled {
			t.AppendRow(line)
		}
	}
	return t
}
