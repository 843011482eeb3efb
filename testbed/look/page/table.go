package page

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/terminal"
)

// Table is rows and columns of cells.
type Table struct {
	// Columns are the columns, the first of which names the rows.
	Columns []Column
	Rows    [][]Cell
	// Details is the title of the cells' details if they have a table of
	// their own; "" if they need none.
	Details string
	// Caption stands above the table, "" for none.
	Caption string
	// Best explains the mark of the best cells and Signs other signs in cells, "" if there is none; LeftOut says
	// what is not in the table.
	Best, Signs, LeftOut string
}

// notes are the lines below the table; mark is what the best cells are marked by.
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
	// Key is what JSON and CSV call it, with its unit; "" for the title. Doc says what it is.
	Key, Doc string
	// Left says that its cells are aligned to the left, not to the right.
	Left bool
	// Joined says that it belongs to the column before and is never parted
	// from it.
	Joined bool
	// Prose says that its cells are sentences, folded to the width that the other columns leave.
	Prose bool
}

// Cell is what is in a row and column.
type Cell struct {
	Text string
	// Value is what JSON and CSV have, exact and in the unit of the column's key; nil for the text. Doc says what it is.
	Value any
	Doc   string
	// Detail comes after the text where there is room.
	Detail string
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

// Add adds a row of values as they print. A column of strings is aligned to the
// left, one of numbers, whatever their unit, to the right.
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
	texts, details := p.grid(t, p.marked), p.grid(t, func(c Cell) string { return c.Detail })
	between := "\n"
	if t.Details != "" {
		between = "\n\n" + t.Details + "\n"
	}
	return p.fit(texts.filled()) + between + p.fit(details.filled())
}

// Markdown prints a table for a page without width.
func (t *Table) Markdown() string {
	g := Page{}.grid(t, func(c Cell) string {
		s := c.Text
		if c.Best {
			s = "**" + s + "**"
		}
		return strings.TrimSpace(s + " " + c.Detail)
	})
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

// fit renders a grid as it is, or with rows and columns exchanged where that
// fits, or in several tables. Exchanged it comes in several tables only where
// that takes far fewer lines.
func (p Page) fit(g *grid) string {
	e := g.exchanged()
	switch {
	case g.width() <= p.Width:
		return g.render(nil)
	case e.width() <= p.Width:
		return e.render(nil)
	}
	folded, exchanged := g.fold(p.Width), e.fold(p.Width)
	if 4*strings.Count(exchanged, "\n") < 3*strings.Count(folded, "\n") {
		return exchanged
	}
	return folded
}

// grid is a table as text.
type grid struct {
	columns []Column
	rows    [][]string
	// most bounds the width of columns but the first; 0 for no bound.
	most int
}

// grid lays out a table whose cells show prints. Whatever is in them, a terminal obeys
// none of it.
func (p Page) grid(t *Table, show func(Cell) string) *grid {
	g := &grid{columns: slices.Clone(t.Columns)}
	for i := range g.columns {
		g.columns[i].Title = terminal.Line(g.columns[i].Title)
	}
	for _, row := range t.Rows {
		line := []string{terminal.Line(row[0].Text)}
		for _, c := range row[1:] {
			c.Text, c.Detail = terminal.Line(c.Text), terminal.Line(c.Detail)
			line = append(line, show(c))
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// filled returns the grid without the rows in which there is nothing.
func (g *grid) filled() *grid {
	g.rows = slices.DeleteFunc(g.rows, func(row []string) bool {
		return !slices.ContainsFunc(row[1:], func(cell string) bool { return cell != "" })
	})
	return g
}

// exchanged returns the grid with rows and columns exchanged.
func (g *grid) exchanged() *grid {
	e := &grid{columns: []Column{{Title: g.columns[0].Title, Left: true}}}
	for _, row := range g.rows {
		e.columns = append(e.columns, Column{Title: row[0]})
	}
	for i, c := range g.columns[1:] {
		line := []string{c.Title}
		for _, row := range g.rows {
			line = append(line, row[i+1])
		}
		e.rows = append(e.rows, line)
	}
	return e
}

// frame is what a table draws around a cell.
const frame = len(" | ")

// widths are the columns'.
func (g *grid) widths() (list []int) {
	for i, c := range g.columns {
		w := text.StringWidthWithoutEscSequences(c.Title)
		for _, row := range g.rows {
			w = max(w, text.StringWidthWithoutEscSequences(row[i]))
		}
		list = append(list, w)
	}
	return list
}

func (g *grid) width() int {
	sum := 1
	for _, w := range g.widths() {
		sum += w + frame
	}
	return sum
}

// fold renders the grid in as many tables as the width needs, the first column
// in each.
func (g *grid) fold(width int) string {
	widths := g.widths()
	first := 1 + widths[0] + frame
	var tables []string
	var columns []int
	used := first
	flush := func() {
		if len(columns) > 0 {
			part := *g
			part.most = max(1, width-first-frame)
			tables = append(tables, part.render(columns))
		}
		columns, used = nil, first
	}
	for i := 1; i < len(widths); {
		next, need := i+1, widths[i]+frame
		for next < len(widths) && g.columns[next].Joined {
			need += widths[next] + frame
			next++
		}
		if used+need > width {
			flush()
		}
		for ; i < next; i++ {
			columns = append(columns, i)
		}
		used += need
	}
	flush()
	return strings.Join(tables, "\n")
}

// render draws the first column and those given, all for nil.
func (g *grid) render(columns []int) string { return g.writer(columns).Render() }

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
		line := table.Row{}
		for _, i := range columns {
			line = append(line, row[i])
		}
		t.AppendRow(line)
	}
	return t
}
