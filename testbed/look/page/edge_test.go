package page

import (
	"testing"
)

// The signs of edges in a table's cells are explained below it. Tier: -short, as all of this file.
func TestEdgesAreExplained(t *testing.T) {
	table := New("run", "wait_p99_us", "queue_p99_bytes")
	table.Rows = [][]Cell{Text("1", "\u2264 5 us", "< 8.192 KB"), Text("2", "5 us", "8 B")}
	table.ExplainEdges()
	if table.Signs != "\u2264 at most, < less than that: the edge of a histogram's bin" {
		t.Errorf("%q", table.Signs)
	}
	table.Rows, table.Signs = table.Rows[1:], ""
	if table.ExplainEdges(); table.Signs != "" {
		t.Errorf("%q explains nothing", table.Signs)
	}
}

// Columns of figures are aligned to the right, with units, signs, ranges and dashes; words and names of runs are not.
func TestFiguresAreAligned(t *testing.T) {
	figures := []string{"7", "14.08 ms", "50KB", "-1.5 %", "\u2264 5 us [4..5]", "x 1.25", "72.59 Gb/s", "100Gbps", "-",
		""}
	words := []string{"pc4", "0a1b2c3", "14.08 ms after", "50000 flows", "."}
	for i, text := range append(figures, words...) {
		table := New("", "of")
		table.Rows = [][]Cell{Text("", text), Text("", "12")}
		if table.AlignFigures(); table.Columns[1].Left != (i >= len(figures)) {
			t.Errorf("%q is aligned to the left: %v", text, table.Columns[1].Left)
		}
	}
}

// A line is not folded between a figure and its unit.
func TestUnitsStayWithFigures(t *testing.T) {
	const line = "mean wait in a queue 475.6 us; of 12 flows, 3 us"
	const want = "mean wait in a queue\n475.6 us; of 12 flows,\n3 us"
	if got := (Page{Width: 24}).Fold(line, 0); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
