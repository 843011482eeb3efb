package experiment

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// printMarkdown prints the report for a page that shows Markdown, such as a job's summary.
func (r *Report) printMarkdown(w io.Writer) error {
	var b strings.Builder
	p, vs := page.Page{}, r.variants()
	line := func(text string) string { return p.Fold(strings.Join(strings.Fields(text), " "), 0) }
	fmt.Fprintf(&b, "### %s\n\n", line(r.Scenario))
	var verdicts []string
	for i := range vs {
		verdicts = append(verdicts, vs[i].verdicts(false)...)
	}
	for _, text := range slices.Concat(verdicts, r.baselineLines(false), NotRunLines(r.NotRun)) {
		fmt.Fprintf(&b, "- %s\n", line(text))
	}
	table, hidden := r.sideBySide(vs)
	fmt.Fprintf(&b, "\n%s\n", table.Markdown())
	notes := slices.Concat([]string{strings.Replace(Legend(table, soundness(vs)), "*", "bold:", 1), hidden}, contrasts(vs),
		slowestFlows(vs))
	for i := range vs {
		notes = append(notes, vs[i].notes()...)
	}
	for _, text := range notes {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n", line(text))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// baselineLines say what came of holding the runs to a baseline.
func (r *Report) baselineLines(colour bool) (lines []string) {
	if r.Baseline == nil {
		return nil
	}
	said := r.Baseline.Lines()
	if r.Baseline.Failed() {
		lines = append(lines, VerdictLine(result.Failed, colour, "baseline %s", said[0]))
	} else {
		lines = append(lines, VerdictLine(result.Pass, colour, "baseline %s", said[0]))
	}
	for _, text := range said[1:] {
		lines = append(lines, NoteLine("", "%s", text))
	}
	return lines
}
