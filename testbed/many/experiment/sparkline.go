package experiment

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// sparkColumns is the number of columns of a queue over time, leastColumns the number on a narrow page.
const (
	sparkColumns = 60
	leastColumns = 20
)

// The heights of a column, from an empty queue on.
const (
	blocks      = " ▁▂▃▄▅▆▇█"
	plainBlocks = " .:-=+*#@"
)

// sparklines draw the worst queue of each variant over time, a line each with the same scales, for several seeds the
// first; none if nothing was recorded. A variant without a queue to draw gives the reason.
func sparklines(vs []variant, p page.Page) (lines []string) {
	var highest int64
	var end unit.Time
	names, places := make([]string, len(vs)), make([]string, len(vs))
	left, right := 0, 0
	for i := range vs {
		names[i] = terminal.Line(vs[i].name)
		left = max(left, text.StringWidth(names[i]))
		if q := vs[i].runs[0].Worst; q != nil {
			highest, end = max(highest, q.Max), max(end, q.End)
			places[i] = fmt.Sprintf("%s, %s", terminal.Line(q.Place), unit.Bytes(q.Max).Figure())
			right = max(right, text.StringWidth(places[i]))
		}
	}
	if highest == 0 {
		return nil
	}
	columns := sparkColumns
	if frame := left + len(" || ") + right; p.Width > 0 && frame+columns > p.Width {
		columns = max(leastColumns, p.Width-frame)
	}
	heights := []rune(blocks)
	if p.Plain {
		heights = []rune(plainBlocks)
	}
	seed := ""
	if len(vs[0].runs) > 1 {
		seed = fmt.Sprintf(", seed %d", vs[0].runs[0].Summary.Seed)
	}
	which := "longest queue"
	for i := range vs {
		run, seen := &vs[i].runs[0], uint64(0)
		if run.Worst != nil {
			seen = uint64(run.Worst.Max)
		}
		if seen < run.Summary.QueueMaxBytes {
			which = "longest queue of those recorded"
		}
	}
	lines = append(lines, p.Fold(fmt.Sprintf("%s, from 0 to %s, full height %s%s:", which, end.Figure(),
		unit.Bytes(highest).Figure(), seed), page.Indent))
	for i := range vs {
		q := vs[i].runs[0].Worst
		if q == nil {
			why := "no queue was recorded"
			if vs[i].runs[0].Summary.QueueMaxBytes == 0 {
				why = "all queues were empty"
			}
			lines = append(lines, fmt.Sprintf("%s  %s", text.Pad(names[i], left, ' '), why))
			continue
		}
		var drawn strings.Builder
		for _, depth := range columnsOf(q, end, columns) {
			height := 0
			if depth > 0 { // what is there is seen
				height = 1 + int(depth*int64(len(heights)-2)/highest)
			}
			drawn.WriteRune(heights[height])
		}
		lines = append(lines, fmt.Sprintf("%s |%s| %s", text.Pad(names[i], left, ' '), drawn.String(), places[i]))
	}
	return lines
}

// columnsOf are the largest depths in each of n equal parts of the time until end.
func columnsOf(q *result.WorstQueue, end unit.Time, n int) []int64 {
	columns := make([]int64, n)
	column := func(at unit.Time) int { return min(unit.Whole[int](float64(at)/float64(end)*float64(n)), n-1) }
	for _, bin := range q.Bins {
		for i := column(bin.From); i <= column(bin.Until-1); i++ {
			columns[i] = max(columns[i], bin.Depth)
		}
	}
	return columns
}
