package page

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
)

// ranges is a table of a metric whose columns are of two scales, and one without a range.
func ranges(t *testing.T) *Table {
	m, known := result.MetricOf("queueing_mean_us")
	if !known {
		t.Fatal("no such metric")
	}
	table := &Table{Columns: []Column{{Title: "metric", Left: true}, {Title: "pc4"}, {Title: "dcqcn"}, {Title: "hpcc"},
		{Title: "none"}}, Details: "[least..largest]"}
	table.Rows = append(table.Rows, append(Text(m.Name), Figures(m, Range{Median: 1.162, Low: 1.158, High: 1.169},
		Range{Median: 60.01, Low: 59.48, High: 61.94}, Range{Median: 0.3551, Low: 0.3532, High: 0.3572},
		Range{Median: 2, Low: 2, High: 2})...))
	return table
}

// A range beside its median is in the median's unit; in a table of its own it has one, the same in the whole row, and
// columns without a range are not there. Tier: -short, as all of this file.
func TestRangesHaveAUnit(t *testing.T) {
	wide := Page{Width: 160}.Render(ranges(t))
	for _, text := range []string{"1.162 us [1.158..1.169] ", "60.01 us [59.48..61.94] ", "355.1 ns [353.2..357.2] "} {
		t.Run(text, func(t *testing.T) {
			if !strings.Contains(wide, text) {
				t.Errorf("no %q in\n%s", text, wide)
			}
		})
	}
	_, narrow, _ := strings.Cut(Page{Width: 90}.Render(ranges(t)), "[least..largest]\n")
	const want = `
┌──────────────────┬───────────────────┬───────────────────┬─────────────────────┐
│ metric           │               pc4 │             dcqcn │                hpcc │
├──────────────────┼───────────────────┼───────────────────┼─────────────────────┤
│ queueing_mean_us │ [1.158..1.169] us │ [59.48..61.94] us │ [0.3532..0.3572] us │
└──────────────────┴───────────────────┴───────────────────┴─────────────────────┘`
	if "\n"+narrow != want {
		t.Errorf("got\n%s\nwant%s", narrow, want)
	}
}

// A part of a folded table of ranges has no row that is empty in it.
func TestNoEmptyRowsOfRanges(t *testing.T) {
	table := &Table{Columns: []Column{{Title: "metric", Left: true}, {Title: "a"}, {Title: "b"}, {Title: "c"}},
		Details: "ranges"}
	for i, name := range []string{"one", "two", "three", "four"} {
		row := Text(name, "1", "2", "3")
		row[1+i%3].Detail = "[10000000..20000000]"
		table.Rows = append(table.Rows, row)
	}
	_, text, _ := strings.Cut(Page{Width: 35}.Render(table), "ranges\n")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "│") && !strings.Contains(line, "[") && !strings.Contains(line, "metric") {
			t.Errorf("an empty row in\n%s", text)
		}
	}
	if strings.Count(text, "..") != 4 || strings.Count(text, "metric") != 3 {
		t.Errorf("got\n%s", text)
	}
}
