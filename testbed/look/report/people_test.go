package report

import "testing"

// The figures of the longest queues have the sign of the edge that they are, and numbers without a unit are rounded:
// the page has them whole beside. A moment keeps all its digits. Tier: -short, as all of this file.
func TestFiguresForPeople(t *testing.T) {
	head := []cell{{Text: "run"}}
	line := tableRow{Head: cell{Text: "pc4"}}
	for _, c := range [][2]string{{"wait_p99_us", "2.500"}, {"wait_max_us", "3.250"}, {"depth_p99_bytes", "8192"},
		{"slowdown", "20.2726"}, {"frames", "20000"}, {"at_us", "12.345678"}} {
		head = append(head, cell{Text: c[0]})
		line.Cells = append(line.Cells, measured(c[0], c[1], "file#"+c[0]))
	}
	for i, want := range []string{"\u2264 2.500 us", "3.250 us", "\u2265 8.192 KB", "20.27", "20000", "12.345678"} {
		t.Run(want, func(t *testing.T) {
			table := table{Head: head, Rows: []tableRow{line}}
			if i == 0 {
				table = table.withEdges("queues.csv")
			}
			if got := table.Rows[0].Cells[i]; got.Text != want {
				t.Errorf("%s: %q, want %q", head[i+1].Text, got.Text, want)
			}
		})
	}
	if line.Cells[3].Title != "20.2726" {
		t.Errorf("%+v has lost digits", line.Cells[3])
	}
}

// The table of metrics has them, too, and an empty queue's bin has its upper edge.
func TestMetricsForPeople(t *testing.T) {
	table := table{Rows: []tableRow{
		{Head: cell{Text: "slowdown_p99"}, Cells: []cell{{Text: "20.2726", From: "x"}}},
		{Head: cell{Text: "queue_p99_bytes"}, Cells: []cell{{Text: "\u2265 0 B", From: "x", Title: "0"}}},
	}}.forPeople()
	if table.Rows[0].Cells[0].Text != "20.27" || table.Rows[1].Cells[0].Text != "< 8.192 KB" {
		t.Errorf("%+v", table.Rows)
	}
}
