package comparison

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/experiment"
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

// differences is the table of ratios to the first column: the certainty of each, and its interval. Rows without a
// possible comparison are left out.
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
	d := &row.Against[column]
	c := page.Cell{Text: "from 0", Detail: d.Interval.String()}
	switch {
	case math.IsNaN(d.A) || math.IsNaN(d.B):
		return page.Cell{Text: "-"}
	case d.Same:
		return page.Cell{Text: "same"}
	case !math.IsNaN(d.Ratio):
		c.Text = compare.RatioText(d.Ratio)
	}
	if d.Tested {
		c.Text = d.Certainty.String() + " " + c.Text
	}
	return c
}

// leastP is the smallest "p" that the seeds can give.
func (r *Report) leastP() float64 { return compare.LeastP(r.fewest()) }

func pText(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}
