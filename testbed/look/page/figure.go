package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Range is the median, the least and the largest value of a metric. Range: NaN if it was not measured.
type Range struct {
	Median, Low, High float64
	// Edge is the side of the median that the true value is on, if values are edges of bins.
	Edge result.Edge
	// Note follows the median, such as in how many runs it was measured; "" for none.
	Note string
}

// Figures are the cells of a metric's ranges, which stand in one row: a median in the unit that fits it, with its range
// in the same unit. A range that is printed without its median has a unit, the one that fits the largest of the row.
func Figures(m result.Metric, ranges ...Range) (cells []Cell) {
	largest := 0.0
	for _, r := range ranges {
		if !math.IsNaN(r.Median) {
			largest = max(largest, math.Abs(r.Median))
		}
	}
	common := m.Scale(largest)
	for _, r := range ranges {
		if math.IsNaN(r.Median) {
			cells = append(cells, Cell{Text: "-"})
			continue
		}
		c := Cell{Text: strings.TrimSpace(r.Edge.Text(m, r.Median) + " " + r.Note)}
		if detail := r.in(m, m.Scale(r.Median)); detail != "" {
			c.Detail, c.Alone = detail, common.Text(r.in(m, common))
		}
		cells = append(cells, c)
	}
	return cells
}

// in prints the range in a unit, "" if it is none.
func (r Range) in(m result.Metric, scale unit.Scale) string {
	ends := m.In(scale, r.Low, r.High)
	if ends[0] == ends[1] {
		return ""
	}
	return fmt.Sprintf("[%s..%s]", ends[0], ends[1])
}

// ExplainEdges puts below the table what the signs of edges mean that its cells have.
func (t *Table) ExplainEdges() {
	var edges []string
	for _, edge := range []struct{ sign, is string }{
		{string(result.AtMost), "at most"}, {string(result.AtLeast), "at least"}, {"<", "less than"},
	} {
		if t.has(func(c Cell) bool { return strings.HasPrefix(c.Text, edge.sign+" ") }) {
			edges = append(edges, edge.sign+" "+edge.is)
		}
	}
	if edges != nil {
		t.Signs = strings.Join(edges, ", ") + " that: the edge of a histogram's bin"
	}
}

// has reports whether something is true of a cell.
func (t *Table) has(is func(Cell) bool) bool {
	return slices.ContainsFunc(t.Rows, func(row []Cell) bool { return slices.ContainsFunc(row, is) })
}

// figure is a number with a sign or a factor before it, and a unit, and a range after it.
var figure = regexp.MustCompile(`^([<\x{2264}\x{2265}x] )?[-+]?\d+(\.\d+)?` +
	`( ?(%|[pnum]?s|[KMGT]?i?B(/s)?|[KMGT]?b(it)?(/s|ps)|[kcm]?m))?( \[[^]]*\])?$`)

// AlignFigures aligns the columns to the right in which all cells are figures, or a dash for none.
func (t *Table) AlignFigures() {
	for i := range t.Columns {
		figures := 0
		left := slices.ContainsFunc(t.Rows, func(row []Cell) bool {
			if figure.MatchString(row[i].Text) {
				figures++
				return false
			}
			return !slices.Contains([]string{"", "-", "..."}, row[i].Text)
		})
		t.Columns[i].Left = left || figures == 0
	}
}
