package lab

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/onsi/ginkgo/v2"
	"github.com/rocelab/rocelab/specs/missed"
)

// Table has the measurements of an experiment, one row for each variant, together with remarks on how the figures
// compare with published ones.
type Table struct {
	columns []string
	rows    [][]string
	remarks []string
}

// NewTable returns a table with these columns; the first names the rows.
func NewTable(columns ...string) *Table { return &Table{columns: columns} }

// Row adds a row. Cells are printed as %v does; a float64 with three decimals.
func (t *Table) Row(cells ...any) {
	row := make([]string, len(t.columns))
	for i, c := range cells {
		if v, ok := c.(float64); ok {
			c = fmt.Sprintf("%.3f", v)
		}
		row[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row)
}

// Remark adds a line below the table.
func (t *Table) Remark(format string, args ...any) {
	t.remarks = append(t.remarks, fmt.Sprintf(format, args...))
}

// Target adds a line on whether a published figure was reached. The figure is reported, a miss is counted by Miss, and
// neither is asserted. Why explains a miss.
func (t *Table) Target(reached bool, what, why string) {
	if reached {
		t.Remark("PASS %s", what)
	} else {
		t.Remark("MISS %s, because %s", what, why)
		missed.Report(what, why)
	}
}

// String prints the table with aligned columns.
func (t *Table) String() string {
	widths := make([]int, len(t.columns))
	for _, row := range append([][]string{t.columns}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	for _, row := range append([][]string{t.columns}, t.rows...) {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], cell)
		}
		out.WriteString("\n" + strings.TrimRight(line, " "))
	}
	for _, r := range t.remarks {
		out.WriteString("\n" + r)
	}
	return out.String()
}

// Report puts the table into the spec's report, and a verbose run, such as `go test -v ./specs/...`, prints it there;
// so does one in which the spec fails.
func (t *Table) Report(title string) {
	ginkgo.AddReportEntry(title, t, ginkgo.Offset(1), ginkgo.ReportEntryVisibilityFailureOrVerbose)
}
