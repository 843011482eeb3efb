package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// table is a table of a page.
type table struct {
	ID      string
	Caption string
	Head    []cell
	Rows    []tableRow
	// LeftOut describes the rows of the file that are not in it.
	LeftOut string
}

type tableRow struct {
	Head  cell
	Cells []cell
}

// cell is a cell of a table. From is the place of its number: files and rows and columns of them, with a space between
// if the number is the mean of two. Title is the number as in the file, if Text has it for people; for the head of a
// row it describes the row. Name is the column or metric of files whose label Text is.
type cell struct{ Text, From, Title, Name string }

// metricTable has the metrics with informative values, a column a run.
func metricTable(variants []*variant) table {
	t := table{ID: "metrics-table", Caption: "Metrics of each run", Head: []cell{{Text: "metric"}}}
	for _, v := range variants {
		for _, r := range v.runs {
			t.Head = append(t.Head, cell{Text: v.name(r)})
		}
	}
	for _, m := range result.PerJob(result.Metrics(), jobsOf(variants)) {
		line := tableRow{Head: cell{Text: m.Name, Title: m.Doc}}
		told := false
		for _, v := range variants {
			for _, r := range v.runs {
				text := r.metric(m.Name)
				told = told || strings.Trim(text, "0.") != ""
				line.Cells = append(line.Cells, r.measured(m))
			}
		}
		if told {
			t.Rows = append(t.Rows, line)
		}
	}
	t.LeftOut = "Metrics that are zero everywhere, or were not measured, are only in summary.json."
	return t
}

// jobsOf are the jobs of runs that have several.
func jobsOf(variants []*variant) (jobs []string) {
	for _, v := range variants {
		for _, r := range v.runs {
			for _, job := range result.JobsNamed(maps.Keys(r.summary.Metrics)) {
				if !slices.Contains(jobs, job) {
					jobs = append(jobs, job)
				}
			}
		}
	}
	return jobs
}

// IsNumber reports whether a column, counted with the rows' heads, has numbers: it may have dashes beside them.
func (t table) IsNumber(column int) bool {
	return column > 0 && slices.ContainsFunc(t.Rows, func(line tableRow) bool {
		return column <= len(line.Cells) && line.Cells[column-1].Text != "-" && numeric(line.Cells[column-1])
	})
}

// Class is the class of a cell, by the number of its column without the rows' heads.
func (t table) Class(column int, c cell) string {
	switch {
	case c.Text == "-" && t.IsNumber(column+1), c.Text != "-" && numeric(c):
		return "n"
	case long(c):
		return "long"
	}
	return ""
}

// withoutEmpty leaves out the columns, from the first on, that have only empty cells.
func (t table) withoutEmpty(first int) table {
	for i := len(t.Head) - 1; i >= first; i-- {
		filled := func(line tableRow) bool { return line.Cells[i-1].Text != "-" && line.Cells[i-1].Text != "" }
		if slices.ContainsFunc(t.Rows, filled) {
			continue
		}
		t.Head = slices.Delete(t.Head, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Cells = slices.Delete(t.Rows[j].Cells, i-1, i)
		}
	}
	return t
}

// measured is a metric's cell.
func (r *run) measured(m result.Metric) cell {
	c := measured(m.Name, r.metric(m.Name), r.metricKey(m.Name))
	if edge := r.edge(m); edge != result.Exact {
		c.Text = fmt.Sprintf("%s %s", edge, c.Text)
	}
	return c
}

// measured is the cell of a number of that name, a dash for none.
func measured(name, text, from string) cell {
	if text == "" {
		return cell{Text: "-"}
	}
	c := cell{From: from}
	c.Text, c.Title = figure(name, text)
	return c
}

// figure prints the number of a metric or column for people, with a unit if its name has one: exact is as it came then,
// and "" if it is not rounded. A moment of the run keeps all its digits.
func figure(name, text string) (shown, exact string) {
	value, err := strconv.ParseFloat(text, 64)
	if in := result.MeasureOf(name); in != nil && err == nil && name != "at_us" {
		return in.Text(value), text
	}
	if isShare(name) && err == nil {
		return unit.Figure(100*value) + " %", text
	}
	return text, ""
}

// isShare reports whether a metric or column of that name is a share of a whole, which people read in percent.
func isShare(name string) bool {
	return strings.HasSuffix(name, "_share") || strings.HasPrefix(name, "wait_share_") || name == "utilisation"
}

// extract is the rows of a CSV file that are most of something.
type extract struct {
	id, caption, file string
	// keys name a row, columns are its values, and by is the sort key, the largest first; "" for the order of the file.
	keys, columns []string
	by            string
	// rank, if not nil, gives the number that rows of all runs together are sorted by, the largest first; order calls it
	// by the name in by.
	rank func(row) float64
	// keep reports whether a row is one to show; nil for all.
	keep func(row) bool
}

// rowsShown is the maximum number of rows of a file for each run in a table, fewer if there are many runs; columnsShown
// is the maximum number of runs in the table of metrics.
const (
	rowsShown    = 12
	columnsShown = 40
)

// extracted is a row of an extract.
type extracted struct {
	by   float64
	line tableRow
}

// table makes the table of an extract; it has no rows where no file has.
func (e extract) table(variants []*variant) (table, error) {
	t := table{ID: e.id, Caption: e.caption, Head: []cell{{Text: "run"}}}
	for _, c := range append(slices.Clone(e.keys), e.columns...) {
		t.Head = append(t.Head, cell{Text: c})
	}
	var ranked []extracted
	shown := min(rowsShown, max(1, 5*rowsShown/countRuns(variants)))
	for _, v := range variants {
		for _, r := range v.runs {
			var most []extracted
			all := 0
			err := r.rows(e.file, func(row row) error {
				if e.keep != nil && !e.keep(row) {
					return nil
				}
				all++
				by := row.OrZero(e.by)
				if e.rank != nil {
					by = e.rank(row)
				}
				if len(most) == shown && by <= most[shown-1].by {
					return nil
				}
				at, _ := slices.BinarySearchFunc(most, by, func(other extracted, by float64) int {
					if other.by >= by {
						return -1
					}
					return 1
				})
				most = slices.Insert(most, at, extracted{by, e.line(v, r, row)})
				most = most[:min(len(most), shown)]
				return nil
			})
			if err != nil {
				return t, err
			}
			ranked = append(ranked, most...)
			if all > len(most) {
				t.LeftOut = fmt.Sprintf("Of each run the first %d%s; %s has all.", shown, e.order(), e.file)
			}
		}
	}
	if e.rank != nil {
		slices.SortStableFunc(ranked, func(a, b extracted) int { return cmp.Compare(b.by, a.by) })
	}
	for _, r := range ranked {
		t.Rows = append(t.Rows, r.line)
	}
	return t.withoutEmpty(1 + len(e.keys)), nil
}

// order names the sort key of rows.
func (e extract) order() string {
	if e.by == "" {
		return ""
	}
	return " by " + label(e.by)
}

func (e extract) line(v *variant, r *run, row row) tableRow {
	line := tableRow{Head: cell{Text: v.name(r)}}
	where := r.key(e.file) + "#" + whereOf(row, e.keys...) + "/"
	for _, c := range e.keys {
		key := cell{Text: row.checked(e.file, c)}
		if strings.HasSuffix(c, "_us") {
			key = measured(c, key.Text, where+c)
		}
		line.Cells = append(line.Cells, key)
	}
	for _, c := range e.columns {
		line.Cells = append(line.Cells, measured(c, row.checked(e.file, c), where+c))
	}
	return line
}

// longQueues are the queues that were longest.
var longQueues = extract{
	id:      "long-queues",
	caption: "Longest queues",
	file:    "queues.csv",
	keys:    []string{"node", "port", "queue"},
	columns: []string{"peer", "depth_max_bytes", "kmin_bytes", "kmax_bytes", "frames", "ecn_marked_frames",
		"congested_us", "wait_mean_us", "wait_p99_us", "wait_max_us"},
	by:   "depth_max_bytes",
	keep: func(row row) bool { return row.Text("treatment") != "control" && row.OrZero("depth_max_bytes") > 0 },
}

// xoffs are the accounts that trigger pauses, the fullest first.
var xoffs = extract{
	id:      "xoff",
	caption: "XOFF thresholds",
	file:    "pfc.csv",
	keys:    []string{"node", "port", "class"},
	columns: []string{"peer", "ingress_max_bytes", "xoff_least_bytes", "xoff_most_bytes", "sent_xoff"},
	by:      "ingress_max_bytes",
	keep: func(row row) bool {
		return row.Text("xoff_most_bytes") != "" && row.OrZero("ingress_max_bytes") > 0
	},
}

// deadlocks are the cycles of queues that waited for each other.
var deadlocks = extract{
	id:      "deadlocks",
	caption: "Deadlocks",
	file:    "deadlocks.csv",
	keys:    []string{"deadlock", "node", "port", "class"},
	columns: []string{"at_us"},
}

// pauses are the ports that were held longest, with the ones that held them.
var pauses = extract{
	id:      "pauses",
	caption: "Paused ports",
	file:    "pfc.csv",
	keys:    []string{"node", "port", "class"},
	columns: []string{"peer", "paused_us", "received_xoff", "received_xon", "sent_xoff", "ingress_max_bytes",
		"headroom_max_bytes", "watchdog_fired"},
	by:   "paused_us",
	keep: func(row row) bool { return row.OrZero("paused_us") > 0 },
}

// losses are the ports that dropped most.
var losses = extract{
	id:      "losses",
	caption: "Lost frames",
	file:    "drops.csv",
	keys:    []string{"node", "port", "reason"},
	columns: []string{"peer", "frames"},
	by:      "frames",
}
