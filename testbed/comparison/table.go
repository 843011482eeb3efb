package comparison

import (
	"fmt"
	"math"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/rocelab/rocelab/testbed/experiment"
)

// pages are the columns that are printed side by side: all in Markdown; in a table
// as many as a wide terminal holds, the first of them on each page.
func (r *Report) pages(f experiment.Format) (pages [][]int) {
	most := 3
	if r.Reference != nil {
		most = 2 // with their printed values
	}
	if f == experiment.FormatMarkdown {
		most = len(r.Columns)
	}
	for i := range r.Columns {
		switch {
		case i == 0:
			pages = append(pages, []int{0})
		case len(pages[len(pages)-1]) == most:
			pages = append(pages, []int{0, i})
		default:
			pages[len(pages)-1] = append(pages[len(pages)-1], i)
		}
	}
	return pages
}

// values is the table of medians and ranges.
func (r *Report) values(rows []Row, columns []int) table.Writer {
	header := table.Row{"metric"}
	for _, i := range columns {
		header = append(header, r.Columns[i].Entry.Text)
		if r.hasPrinted(i) {
			header = append(header, "printed")
		}
	}
	t := experiment.NewTable(header)
	for _, row := range rows {
		cells := table.Row{row.Metric.Name}
		for _, i := range columns {
			cells = append(cells, row.cell(i, row.Figures[i]))
			if r.hasPrinted(i) {
				cells = append(cells, row.printedCell(i))
			}
		}
		t.AppendRow(cells)
	}
	return t
}

func (r *Report) hasPrinted(column int) bool {
	c := &r.Columns[column]
	return len(r.Reference.of(c.Entry.Text, c.Algorithm)) > 0
}

// cell is "median [least..largest] xratio".
func (row *Row) cell(i int, f Figure) string {
	if f.N == 0 {
		return "-"
	}
	m := row.Metric
	s := m.Format(f.Median)
	if f.Min != f.Max {
		s += fmt.Sprintf(" [%s..%s]", m.Format(f.Min), m.Format(f.Max))
	}
	if f.N < len(f.Values) {
		s += fmt.Sprintf(" (%d of %d)", f.N, len(f.Values))
	}
	if ratio := row.Against[i].Ratio; i > 0 && !math.IsNaN(ratio) {
		s += " x" + ratioText(ratio)
	}
	return s
}

// printedCell is "value (deviation)".
func (row *Row) printedCell(i int) string {
	if math.IsNaN(row.Printed[i]) {
		return ""
	}
	s := fmt.Sprint(row.Printed[i])
	if d := row.Deviation(i); !math.IsNaN(d) {
		s += fmt.Sprintf(" (%+.1f %%)", d*100)
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

// differences is the table of ratios to the first column, their intervals and
// p.
func (r *Report) differences(rows []Row, columns []int) table.Writer {
	header := table.Row{"metric"}
	for _, i := range columns {
		header = append(header, r.Columns[i].Entry.Text+" / "+r.Columns[0].Entry.Text, "95 %", "p")
	}
	t := experiment.NewTable(header)
	for _, row := range rows {
		cells := table.Row{row.Metric.Name}
		for _, i := range columns {
			a, ratio, interval, p := row.Against[i], "-", "-", "-"
			if !math.IsNaN(a.Ratio) {
				ratio = ratioText(a.Ratio)
			}
			if !math.IsNaN(a.Interval.Low) {
				interval = fmt.Sprintf("[%s..%s]", ratioText(a.Interval.Low), ratioText(a.Interval.High))
			}
			if !math.IsNaN(a.Test.P) {
				p = pText(a.Test.P)
			}
			cells = append(cells, ratio, interval, p)
		}
		t.AppendRow(cells)
	}
	return t
}

func pText(p float64) string {
	if p < 1e-4 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}
