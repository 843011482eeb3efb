package report

import (
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// withEdges is the table of a file's rows for people: figures that are edges of bins have their sign, and those without
// a unit are rounded.
func (t table) withEdges(file string) table {
	for _, row := range t.Rows {
		of := func(column string) (value float64, known bool) {
			for i, c := range row.Cells {
				if t.Head[i+1].Text == column {
					value, err := strconv.ParseFloat(exact(c), 64)
					return value, err == nil
				}
			}
			return 0, false
		}
		var edges []result.Edge // of all cells before one is changed
		for i := range row.Cells {
			edges = append(edges, result.ColumnEdge(file, t.Head[i+1].Text, of))
		}
		for i := range row.Cells {
			row.Cells[i] = rounded(t.Head[i+1].Text, row.Cells[i])
			row.Cells[i].Text = strings.TrimSpace(string(edges[i]) + " " + row.Cells[i].Text)
		}
	}
	return t
}

// exact is a cell's number as files have it.
func exact(c cell) string {
	if c.Title != "" {
		return c.Title
	}
	return c.Text
}

// rounded is the cell of a number of that name; one with decimals and without a unit is rounded for people. A moment
// of the run keeps all its digits.
func rounded(name string, c cell) cell {
	value, err := strconv.ParseFloat(c.Text, 64)
	if err == nil && c.From != "" && c.Title == "" && strings.Contains(c.Text, ".") && !strings.HasSuffix(name, "at_us") {
		c.Text, c.Title = unit.Figure(value), c.Text
	}
	return c
}

// forPeople is the table of metrics, whose rows' heads are their names, with figures rounded. A queue's lower edge 0
// is printed as the upper one.
func (t table) forPeople() table {
	for _, row := range t.Rows {
		m, _ := result.MetricOf(row.Head.Text)
		for i, c := range row.Cells {
			c = rounded(m.Name, c)
			if value, err := strconv.ParseFloat(exact(c), 64); err == nil && strings.HasPrefix(c.Text, string(result.AtLeast)) {
				c.Text = result.AtLeast.Text(m, value)
			}
			row.Cells[i] = c
		}
	}
	return t
}

// shown is a metric's number for people, and as it came, "" if it is not rounded.
func shown(name, text string) (figure, exact string) {
	c := rounded(name, measured(name, text, name))
	return c.Text, c.Title
}
