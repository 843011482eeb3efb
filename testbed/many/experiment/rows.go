package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Row is a metric of several columns of runs.
type Row struct {
	Metric  result.Metric
	Figures []Figure
	// Kept is set if the row is always shown.
	Kept bool
}

// newsAtZero are the metrics that are shown even if they are zero everywhere.
var newsAtZero = []string{"completed", "marks", "cnps", "pauses", "drops", "decisions"}

// texts are a row's figures as files have them.
func (r *Row) texts() (list []string) {
	for _, f := range r.Figures {
		list = append(list, f.exact(r.Metric))
	}
	return list
}

// shared returns the value common to all columns: "marks=0", "queue_p99_bytes < 8.192 KB".
func (r *Row) shared() string {
	c := cells(r.Metric, r.Figures[0])[0]
	text := strings.TrimSpace(c.Text + " " + c.Detail)
	if sign, _, signed := strings.Cut(text, " "); signed && strings.Trim(sign, "<\u2264\u2265") == "" {
		return r.Metric.Name + " " + text
	}
	return r.Metric.Name + "=" + text
}

// idle reports whether the metric is zero or was not measured everywhere.
func (r *Row) idle() bool {
	return !slices.ContainsFunc(r.Figures, func(f Figure) bool { return f.N > 0 && (f.Min != 0 || f.Max != 0) })
}

// equal reports whether several columns say the same.
func (r *Row) equal() bool {
	texts := r.texts()
	return len(texts) > 1 && len(slices.Compact(texts)) == 1
}

// units are those in the names of metrics.
var units = []string{"_us", "_gbps", "_bytes", "_gigabytes_s"}

// quantity returns the property in which a metric can repeat another: its unit, the first word of its name for a ratio,
// "" for a count. A job's metric repeats only the job's own.
func (r *Row) quantity() string {
	name := r.Metric.Name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		job := Row{Metric: result.Metric{Name: name[i+1:], Decimals: r.Metric.Decimals}}
		if quantity := job.quantity(); quantity != "" {
			return name[:i+1] + quantity
		}
		return ""
	}
	for _, unit := range units {
		if strings.HasSuffix(name, unit) {
			return unit
		}
	}
	if r.Metric.Decimals == 0 {
		return ""
	}
	word, _, _ := strings.Cut(name, "_")
	return word
}

// repeats reports whether two rows show the same quantity. Counts that happen to agree are not a repetition.
func (r *Row) repeats(other *Row) bool {
	return r.quantity() != "" && r.quantity() == other.quantity() && slices.Equal(r.texts(), other.texts())
}

// Show chooses the informative rows, and names the others in a line: rows that are the same in all columns, that repeat
// another row, and that are zero or unmeasured; "" if nothing is left out.
func Show(rows []Row) (shown []int, hidden string) {
	var equal, zero []string
	repeated := map[int][]string{} // by the row that they repeat
	last := func(name string) int {
		if name == "duration_us" {
			return 1 // where it is a completion time, that is the row to read
		}
		return 0
	}
	var order []int
	for i := range rows {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return last(rows[a].Metric.Name) - last(rows[b].Metric.Name) })
	for _, i := range order {
		r := &rows[i]
		at := slices.IndexFunc(shown, func(k int) bool { return r.repeats(&rows[k]) })
		switch {
		case r.Kept:
			shown = append(shown, i)
		case r.idle() && !slices.Contains(newsAtZero, r.Metric.Name):
			zero = append(zero, r.Metric.Name)
		case r.equal():
			equal = append(equal, r.shared())
		case at >= 0:
			repeated[shown[at]] = append(repeated[shown[at]], r.Metric.Name)
		default:
			shown = append(shown, i)
		}
	}
	slices.Sort(shown)
	return shown, hiddenLine(rows, shown, equal, zero, repeated)
}

func hiddenLine(rows []Row, shown []int, equal, zero []string, repeated map[int][]string) string {
	var parts []string
	count := len(equal) + len(zero)
	if len(equal) > 0 {
		parts = append(parts, "equal in all: "+strings.Join(equal, ", "))
	}
	var same []string
	for _, i := range shown {
		for _, name := range repeated[i] {
			same = append(same, name+" = "+rows[i].Metric.Name)
		}
	}
	if count += len(same); len(same) > 0 {
		parts = append(parts, "the same as another: "+strings.Join(same, ", "))
	}
	if len(zero) > 0 {
		parts = append(parts, fmt.Sprintf("zero or not measured: %d", len(zero)))
	}
	switch count {
	case 0:
		return ""
	case 1:
		return "1 row is hidden, --wide shows it; " + parts[0]
	}
	return fmt.Sprintf("%d rows are hidden, --wide shows them; %s", count, strings.Join(parts, "; "))
}

// best returns the text of the best figure; "" if there is none, and if all measured columns have the same.
func (r *Row) best() string {
	best, texts := math.NaN(), []string{}
	for _, f := range r.Figures {
		if f.N > 0 {
			best = r.Metric.Better.Best(best, f.Median)
			texts = append(texts, r.Metric.Format(f.Median))
		}
	}
	if len(slices.Compact(texts)) < 2 {
		return ""
	}
	return r.Metric.Format(best)
}

// Cells are the row's cells, the best marked if its column is sound: a value of an unsound run is not an achievement.
func (r *Row) Cells(sound []bool) []page.Cell {
	best, list := r.best(), cells(r.Metric, r.Figures...)
	for i, f := range r.Figures {
		list[i].Best = best != "" && sound[i] && f.N > 0 && r.Metric.Format(f.Median) == best
	}
	return list
}

// Explain puts what the marks of cells mean below a table: the best, and the edges of bins.
func Explain(t *page.Table, sound []bool) {
	has := func(is func(page.Cell) bool) bool {
		return slices.ContainsFunc(t.Rows, func(row []page.Cell) bool { return slices.ContainsFunc(row, is) })
	}
	switch marked := has(func(c page.Cell) bool { return c.Best }); {
	case marked && slices.Contains(sound, false):
		t.Best = "best of its row; never of runs that are unsound or left flows incomplete"
	case marked:
		t.Best = "best of its row"
	}
	t.ExplainEdges()
}
