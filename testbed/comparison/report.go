package comparison

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/result"
)

// Run is a run and its verdict.
type Run struct {
	Seed    uint64
	Summary *result.Summary
	Verdict result.Verdict
	// Remarks are the host's; see result.Outcome.
	Remarks []string
}

// Status is the verdict's without the scenario's expectations: those are often
// one algorithm's, and a comparison only reports them.
func (r *Run) Status() result.Status {
	if r.Verdict.Status != result.Failed {
		return r.Verdict.Status
	}
	for _, f := range r.Verdict.Findings {
		if f.Status == result.Failed && f.About != result.Expectation {
			return result.Failed
		}
	}
	return result.Pass
}

// Column is an algorithm and its runs, in the order of the seeds.
type Column struct {
	Entry              Entry
	Algorithm, Program string
	Runs               []Run
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

// Empty tells that no run was done.
func (r *Report) Empty() bool {
	return !slices.ContainsFunc(r.Columns, func(c Column) bool { return len(c.Runs) > 0 })
}

// ExitCode is that of the runs: an interruption before a red or void verdict
// before flows that did not complete. Expectations do not count.
func (r *Report) ExitCode() int {
	if len(r.NotRun) > 0 {
		return result.ExitInterrupted
	}
	var verdicts []result.Verdict
	for _, c := range r.Columns {
		for i := range c.Runs {
			verdicts = append(verdicts, result.Verdict{Status: c.Runs[i].Status()})
		}
	}
	return result.ExitCode(verdicts...)
}

// Format is how a report is printed.
type Format string

// The formats.
const (
	FormatTable    Format = "table"
	FormatJSON     Format = "json"
	FormatCSV      Format = "csv"
	FormatMarkdown Format = "markdown"
)

// ParseFormat reads a format's name.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case FormatTable, FormatJSON, FormatCSV, FormatMarkdown:
		return f, nil
	}
	return "", fmt.Errorf("%q is no format: allowed are table, json, csv, markdown", s)
}

// Print prints the report.
func (r *Report) Print(w io.Writer, f Format, colour bool) error {
	switch f {
	case FormatJSON:
		return r.printJSON(w)
	case FormatCSV:
		return r.printCSV(w)
	}
	var b strings.Builder
	render := func(t table.Writer) string { return t.Render() }
	if f == FormatMarkdown {
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
	rows := slices.DeleteFunc(r.Rows(), func(row Row) bool { return row.idle() })
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

var statusColours = map[result.Status]text.Colors{result.Pass: {text.FgGreen, text.Bold}, result.Failed: {text.FgRed, text.Bold},
	result.Void: {text.FgYellow, text.Bold}, result.Red: {text.BgRed, text.FgWhite, text.Bold}}

// verdicts are a line for each algorithm, one for each of its runs that did not
// pass, and one for each expectation that a run missed.
func (r *Report) verdicts(colour bool) (lines []string) {
	word := func(s result.Status) string {
		w := fmt.Sprintf("%-11s", strings.ToUpper(s.String()))
		if colour {
			return statusColours[s].EscapeSeq() + w + text.EscapeReset
		}
		return w
	}
	for _, c := range r.Columns {
		if len(c.Runs) == 0 {
			continue
		}
		worst, passed := result.Pass, 0
		for i := range c.Runs {
			if s := c.Runs[i].Status(); s == result.Pass {
				passed++
			} else {
				worst = max(worst, s)
			}
		}
		lines = append(lines, fmt.Sprintf("%s %s: %d of %d runs pass", word(worst), c.Entry.Text, passed, len(c.Runs)))
		for i := range c.Runs {
			lines = append(lines, c.Runs[i].lines(c.Entry.Text, word)...)
		}
	}
	if len(r.NotRun) > 0 {
		names, more := r.NotRun, ""
		if n := len(names) - 10; n > 0 {
			names, more = names[:10], fmt.Sprintf(", and %d more", n)
		}
		lines = append(lines, fmt.Sprintf("%-11s %s%s", "NOT RUN", strings.Join(names, ", "), more))
	}
	return lines
}

// lines says why a run did not pass, and what it missed of the expectations.
func (r *Run) lines(name string, word func(result.Status) string) (lines []string) {
	label := fmt.Sprintf("%s seed %d", name, r.Seed)
	s := r.Status()
	for _, f := range r.Verdict.Findings {
		switch {
		case f.Status == result.Failed && f.About == result.Expectation:
			lines = append(lines, fmt.Sprintf("%-11s %s: not as the scenario expects: %s", "note", label, f.Text))
		case s != result.Pass && f.Status == s:
			lines = append(lines, fmt.Sprintf("%s %s: %d of %d flows completed; %s", word(s), label, r.Summary.Completed, r.Summary.Flows, f.Text))
		}
	}
	for _, remark := range r.Remarks {
		lines = append(lines, fmt.Sprintf("%-11s %s: host: %s", "note", label, remark))
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
		lines = append(lines, fmt.Sprintf("x: ratio of the medians to %s's; 95 %%: bootstrap interval of that ratio, %d resamples.", r.Columns[0].Entry.Text, Resamples))
		switch {
		case first+other < 3:
			lines = append(lines, "One seed tells nothing of chance: give more with --seeds.")
		case first+other <= exactLimit:
			lines = append(lines, fmt.Sprintf("p: Mann-Whitney, two-sided, exact with ties, not corrected for the number of metrics. %d against %d seeds can give no p below %s.",
				first, other, pText(LeastP(first, other))))
		default:
			lines = append(lines, "p: Mann-Whitney, two-sided, normal approximation with ties, not corrected for the number of metrics.")
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
