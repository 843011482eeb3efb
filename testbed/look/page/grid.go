package page

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/internal/terminal"
)

// grid is a table as text.
type grid struct {
	columns []Column
	rows    [][]string
	// most bounds the width of columns but the first; 0 for no bound.
	most int
	// sparse leaves rows out of a part that has no values for them.
	sparse bool
}

// grid lays out a table whose cells show prints. A terminal does not obey anything in them.
func (p Page) grid(t *Table, show func(Cell) string) *grid {
	g := &grid{columns: slices.Clone(t.Columns)}
	for i := range g.columns {
		g.columns[i].Title = terminal.Line(g.columns[i].Title)
	}
	for _, row := range t.Rows {
		line := []string{terminal.Line(row[0].Text)}
		for _, c := range row[1:] {
			c.Text, c.Detail, c.Alone = terminal.Line(c.Text), terminal.Line(c.Detail), terminal.Line(c.Alone)
			line = append(line, show(c))
		}
		g.rows = append(g.rows, line)
	}
	return g
}

// filled returns the grid without empty rows.
func (g *grid) filled() *grid {
	g.rows = slices.DeleteFunc(g.rows, func(row []string) bool {
		return !slices.ContainsFunc(row[1:], func(cell string) bool { return cell != "" })
	})
	return g
}

// withoutEmpty returns the grid without empty columns, and without rows that are empty in all columns of a part, if it
// is folded.
func (g *grid) withoutEmpty() *grid {
	less := &grid{columns: g.columns[:1:1], rows: make([][]string, len(g.rows)), sparse: true}
	for n, row := range g.rows {
		less.rows[n] = row[:1:1]
	}
	for i := 1; i < len(g.columns); i++ {
		if !slices.ContainsFunc(g.rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		less.columns = append(less.columns, g.columns[i])
		for n, row := range g.rows {
			less.rows[n] = append(less.rows[n], row[i])
		}
	}
	return less
}

// exchanged returns the grid with rows and columns exchanged.
func (g *grid) exchanged() *grid {
	e := &grid{columns: []Column{{Title: g.columns[0].Title, Left: true}}, sparse: g.sparse}
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

// frame is the width that a table draws around a cell.
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

// fit renders a grid as it is, or with rows and columns exchanged if that fits, or in several tables. It is exchanged
// in several tables only if that takes far fewer lines.
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
