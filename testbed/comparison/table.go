package comparison

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/experiment"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/statistics"
)

// values is the table of medians and ranges.
func (r *Report) values(rows []Row) *page.Table {
	t := &page.Table{Columns: []page.Column{{Title: "metric", Left: true}}, Details: experiment.Ranges}
	for i := range r.Columns {
		t.Columns = append(t.Columns, page.Column{Title: r.Columns[i].Entry.Text})
		if r.hasPrinted(i) {
			t.Columns = append(t.Columns, page.Column{Title: "printed", Joined: true})
		}
	}
	sound := r.soundness()
	for i := range rows {
		row := &rows[i]
		cells := page.Text(row.Metric.Name)
		for k, cell := range row.Cells(sound) {
			cells = append(cells, cell)
			if r.hasPrinted(k) {
				cells = append(cells, page.Cell{Text: row.printedCell(k)})
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// soundness is which algorithms can be the best.
func (r *Report) soundness() (sound []bool) {
	for i := range r.Columns {
		sound = append(sound, experiment.Sound(r.Columns[i].Runs))
	}
	return sound
}

func (r *Report) hasPrinted(column int) bool {
	c := &r.Columns[column]
	return len(r.Reference.of(c.Entry.Text, c.Algorithm)) > 0
}

// printedCell is "value (deviation)".
func (row *Row) printedCell(i int) string {
	if math.IsNaN(row.Printed[i]) {
		return ""
	}
	s := fmt.Sprint(row.Printed[i])
	if d := row.Deviation(i); !math.IsNaN(d) {
		s += fmt.Sprintf(" (%s)", page.Change(d))
	}
	return s
}

// ratioText prints a ratio with at least three significant digits.
func ratioText(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// differences is the table of ratios to the first column: how sure each is, and
// its interval. Rows in which nothing can be compared are left out.
func (r *Report) differences(rows []Row) *page.Table {
	t := &page.Table{Columns: []page.Column{{Title: "metric", Left: true}}, Details: "95 % intervals of the ratios"}
	for _, c := range r.Columns[1:] {
		t.Columns = append(t.Columns, page.Column{Title: c.Entry.Text + " / " + r.Columns[0].Entry.Text})
	}
	for i := range rows {
		cells := page.Text(rows[i].Metric.Name)
		for k := range r.Columns[1:] {
			cells = append(cells, r.against(&rows[i], k+1))
		}
		if slices.ContainsFunc(cells[1:], func(c page.Cell) bool { return c.Text != "-" }) {
			t.Rows = append(t.Rows, cells)
		}
	}
	return t
}

// against is "sure 1.243" with its interval.
func (r *Report) against(row *Row, column int) page.Cell {
	a, first, other := &row.Against[column], &row.Figures[0], &row.Figures[column]
	c := page.Cell{Text: "from 0"}
	switch {
	case first.N == 0 || other.N == 0:
		return page.Cell{Text: "-"}
	case first.Min == other.Max && first.Max == other.Min:
		return page.Cell{Text: "same"}
	case !math.IsNaN(a.Ratio):
		c.Text = ratioText(a.Ratio)
	}
	if !math.IsNaN(a.Interval.Low) {
		c.Detail = fmt.Sprintf("[%s..%s]", ratioText(a.Interval.Low), ratioText(a.Interval.High))
	}
	if r.leastP() < likely {
		c.Text = certainty(a.Test.P) + " " + c.Text
	}
	return c
}

// sure and likely are the p below which a difference is called so.
const (
	sure   = 0.01
	likely = 0.05
)

// certainty is p in a word.
func certainty(p float64) string {
	switch {
	case p < sure:
		return "sure"
	case p < likely:
		return "likely"
	}
	return "unclear"
}

// leastP is the smallest p that the seeds can give.
func (r *Report) leastP() float64 { return statistics.LeastP(r.fewest()) }

func pText(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}
