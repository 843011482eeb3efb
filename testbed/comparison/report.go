package comparison

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/experiment"
)

// statusOf is the status of a run without the scenario's expectations: those are often one
// algorithm's, and a comparison only reports them.
func statusOf(r *experiment.Run) result.Status {
	if r.Verdict.Status != result.Failed {
		return r.Verdict.Status
	}
	for _, f := range r.Verdict.Findings {
		if f.Status == result.Failed && f.Subject != result.Expectation {
			return result.Failed
		}
	}
	return result.Pass
}

// Column is an algorithm and its runs, in the order of the seeds.
type Column struct {
	Entry              Entry
	Algorithm, Program string
	Runs               []experiment.Run
}

// Report is what a comparison came to.
type Report struct {
	Scenario, Variant string
	Columns           []Column
	Seeds             []uint64
	Metrics           []Metric
	Reference         *Reference
	// NotRun names the runs that an interruption left no time for.
	NotRun []string
}

// Empty reports whether no run was done.
func (r *Report) Empty() bool {
	return !slices.ContainsFunc(r.Columns, func(c Column) bool { return len(c.Runs) > 0 })
}

// ExitCode is the one of the runs: an interruption before a red or void verdict
// before flows that did not complete. Expectations do not count.
func (r *Report) ExitCode() int {
	if len(r.NotRun) > 0 {
		return result.ExitInterrupted
	}
	var verdicts []result.Verdict
	for _, c := range r.Columns {
		for i := range c.Runs {
			verdicts = append(verdicts, result.Verdict{Status: statusOf(&c.Runs[i])})
		}
	}
	return result.ExitCode(verdicts...)
}

// Formats are those that a report has.
var Formats = []experiment.Format{
	experiment.FormatTable,
	experiment.FormatJSON,
	experiment.FormatCSV,
	experiment.FormatMarkdown,
}

// Print prints the report.
func (r *Report) Print(w io.Writer, f experiment.Format, colour bool) error {
	switch f {
	case experiment.FormatJSON:
		return result.WriteJSON(w, r.toJSON())
	case experiment.FormatCSV:
		return r.printCSV(w)
	}
	var b strings.Builder
	render := func(t table.Writer) string { return t.Render() }
	if f == experiment.FormatMarkdown {
		colour = false
		render = func(t table.Writer) string { return t.RenderMarkdown() }
		fmt.Fprintf(&b, "%s\n", r.title())
		for _, line := range r.verdicts(false) {
			fmt.Fprintf(&b, "\n- %s", strings.Join(strings.Fields(line), " "))
		}
		b.WriteString("\n")
	} else {
		for _, line := range r.verdicts(colour) {
			b.WriteString(line + "\n")
		}
		fmt.Fprintf(&b, "\n%s\n", r.title())
	}
	rows := slices.DeleteFunc(r.Rows(), func(row Row) bool { return row.allZero() })
	for _, columns := range r.pages(f) {
		fmt.Fprintf(&b, "\n%s\n", render(r.values(rows, columns)))
		if len(columns) > 1 {
			fmt.Fprintf(&b, "\n%s\n", render(r.differences(rows, columns[1:])))
		}
	}
	b.WriteString("\n")
	for _, line := range r.notes() {
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) title() string {
	name := r.Scenario
	if r.Variant != "" {
		name += ", variant " + r.Variant
	}
	seeds := r.seedsText()
	if len(r.NotRun) > 0 {
		seeds += ", not all of them run"
	}
	return fmt.Sprintf("%s, %s: median [least..largest]", name, seeds)
}

func (r *Report) seedsText() string {
	if len(r.Seeds) == 1 {
		return fmt.Sprintf("seed %d", r.Seeds[0])
	}
	const most = 10
	var list []string
	for i, seed := range r.Seeds {
		if i == most {
			list = append(list, "...")
			break
		}
		list = append(list, fmt.Sprint(seed))
	}
	return fmt.Sprintf("%d seeds (%s)", len(r.Seeds), strings.Join(list, " "))
}

// verdicts are a line for each algorithm, one for each of its runs that did not
// pass, and one for each expectation that a run missed.
func (r *Report) verdicts(colour bool) (lines []string) {
	for _, c := range r.Columns {
		if len(c.Runs) == 0 {
			continue
		}
		worst, passed := result.Pass, 0
		for i := range c.Runs {
			if s := statusOf(&c.Runs[i]); s == result.Pass {
				passed++
			} else {
				worst = max(worst, s)
			}
		}
		lines = append(lines, experiment.VerdictLine(worst, colour, "%s: %d of %d runs pass", c.Entry.Text,
			passed, len(c.Runs)))
		for i := range c.Runs {
			lines = append(lines, runLines(&c.Runs[i], c.Entry.Text, colour)...)
		}
	}
	return append(lines, experiment.NotRunLines(r.NotRun)...)
}

// runLines says why a run did not pass, and what it missed of the expectations.
func runLines(r *experiment.Run, name string, colour bool) (lines []string) {
	label := fmt.Sprintf("%s seed %d", name, r.Summary.Seed)
	status := statusOf(r)
	for _, f := range r.Verdict.Findings {
		switch {
		case f.Status == result.Failed && f.Subject == result.Expectation:
			lines = append(lines, experiment.NoteLine("note", "%s: not as the scenario expects: %s", label, f.Text))
		case status != result.Pass && f.Status == status:
			lines = append(lines, experiment.VerdictLine(status, colour,
				"%s: %d of %d flows completed; %s", label, r.Summary.Completed, r.Summary.Flows, f.Text))
		}
	}
	for _, remark := range r.Remarks {
		lines = append(lines, experiment.NoteLine("note", "%s: host: %s", label, remark))
	}
	return lines
}

// fewest is how many runs the first algorithm has, and the least that another
// has.
func (r *Report) fewest() (first, other int) {
	first, other = len(r.Columns[0].Runs), len(r.Seeds)
	for i := range r.Columns[1:] {
		other = min(other, len(r.Columns[1+i].Runs))
	}
	return first, other
}

// notes say how to read the tables.
func (r *Report) notes() (lines []string) {
	if len(r.Columns) > 1 {
		first, other := r.fewest()
		lines = append(lines, fmt.Sprintf(
			"x: ratio of the medians to %s's; 95 %%: bootstrap interval of that ratio, %d resamples.",
			r.Columns[0].Entry.Text, Resamples))
		switch {
		case first+other < 3:
			lines = append(lines, "One seed tells nothing of chance: give more with --seeds.")
		case first+other <= exactLimit:
			lines = append(lines, fmt.Sprintf("p: Mann-Whitney, two-sided, exact with ties, not corrected for the number of "+
				"metrics. %d against %d seeds can give no p below %s.",
				first, other, pText(LeastP(first, other))))
		default:
			lines = append(lines, "p: Mann-Whitney, two-sided, normal approximation with ties, not corrected for the "+
				"number of metrics.")
		}
	}
	if r.Reference != nil {
		line := "printed: " + r.Reference.Source
		if r.Reference.Note != "" {
			line += " (" + r.Reference.Note + ")"
		}
		lines = append(lines, line+"; in brackets how far the measured median is from it.")
	}
	return lines
}
