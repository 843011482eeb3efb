package comparison

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
)

// statusOf is the status of a run without the scenario's expectations: those are often one
// algorithm's, and a comparison only reports them.
func statusOf(r *campaign.Run) result.Status {
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

// column is an algorithm and its runs, in the order of the seeds.
type column struct {
	Entry              Entry
	Algorithm, Program string
	Runs               []campaign.Run
}

// Report is the result of a comparison.
type Report struct {
	Scenario, Variant string
	Columns           []column
	Seeds             []uint64
	// Metrics are the rows; All also shows uninformative ones.
	Metrics   []result.Metric
	All       bool
	Reference *Reference
	// NotRun names the runs that an interruption left no time for.
	NotRun []string
}

// Empty reports whether no run was done.
func (r *Report) Empty() bool {
	return !slices.ContainsFunc(r.Columns, func(c column) bool { return len(c.Runs) > 0 })
}

// ExitCode is the gravest of the runs, and of an interruption that left no time for some; see exit.Gravest.
// Expectations do not count.
func (r *Report) ExitCode() int {
	var verdicts []result.Verdict
	for _, c := range r.Columns {
		for i := range c.Runs {
			verdicts = append(verdicts, result.Verdict{Status: statusOf(&c.Runs[i])})
		}
	}
	if len(r.NotRun) > 0 {
		verdicts = append(verdicts, result.Verdict{Status: result.Interrupted})
	}
	return result.ExitCode(verdicts...)
}

// Print prints the report; the page is for tables.
func (r *Report) Print(w io.Writer, f page.Format, p page.Page) error {
	d := r.document()
	d.Record, d.Rows = r.toJSON(), r.sheet()
	return d.Print(w, f, p)
}

// document is the report for all formats.
func (r *Report) document() *page.Document {
	d := &page.Document{Title: r.Scenario, Kind: "compare"}
	for _, line := range r.verdicts() {
		d.Add(line)
	}
	d.Add(page.Gap{}, page.Paragraph(r.title()), page.Gap{})
	rows, hidden := r.shown()
	values := r.values(rows)
	experiment.Explain(values, r.soundness())
	d.Add(values)
	if differences := r.differences(rows); len(differences.Rows) > 0 {
		d.Add(page.Gap{}, differences)
	}
	for _, line := range slices.Concat(r.causes(), r.notes(), []string{hidden}) {
		if line != "" {
			d.Say("%s", line)
		}
	}
	return d
}

// causes say why the slowest flows take longer with one algorithm than with another.
func (r *Report) causes() []string {
	var list []compare.Variant
	for i := range r.Columns {
		list = append(list, experiment.Compared(r.Columns[i].Entry.Text, r.Columns[i].Runs))
	}
	return compare.Causes(list)
}

// shown returns the visible rows, and the line that names the hidden ones.
func (r *Report) shown() (shown []Row, hidden string) {
	rows := r.Rows()
	if r.All {
		return rows, ""
	}
	var plain []experiment.Row
	for i := range rows {
		plain = append(plain, rows[i].Row)
	}
	list, hidden := experiment.Show(plain)
	for _, i := range list {
		shown = append(shown, rows[i])
	}
	return shown, hidden
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
	return fmt.Sprintf("%s, %s: median %s", name, seeds, experiment.Ranges)
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
func (r *Report) verdicts() (lines []page.Line) {
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
		lines = append(lines, experiment.VerdictLine(worst, "%s: %d of %d runs pass", c.Entry.Text,
			passed, len(c.Runs)))
		lines = append(lines, c.lines()...)
	}
	return append(lines, experiment.NotRunLines(r.NotRun)...)
}

// lines give the reasons why runs did not pass, and the missed expectations, a line for all seeds with the same text.
func (c *column) lines() (lines []page.Line) {
	said := map[result.Status][]experiment.SeedLine{} // pass for notes
	add := func(r *campaign.Run, status result.Status, text string) {
		said[status] = append(said[status], experiment.SeedLine{Seed: r.Summary.Seed, Text: text})
	}
	for i := range c.Runs {
		r := &c.Runs[i]
		status := statusOf(r)
		for _, f := range r.Verdict.Findings {
			switch {
			case f.Status == result.Failed && f.Subject == result.Expectation:
				add(r, result.Pass, "not as the scenario expects: "+f.Text)
			case status != result.Pass && f.Status == status:
				add(r, status, r.Summary.FlowsDone()+"; "+f.Text)
			}
		}
		for _, remark := range r.Remarks {
			add(r, result.Pass, "host: "+remark)
		}
	}
	for _, status := range []result.Status{result.Red, result.Interrupted, result.Void, result.Failed, result.Pass} {
		for _, l := range experiment.MergeSeeds(said[status]) {
			text := fmt.Sprintf("%s%s: %s", c.Entry.Text, l.Of(len(c.Runs)), l.Text)
			if status == result.Pass {
				lines = append(lines, experiment.NoteLine("note", "%s", text))
			} else {
				lines = append(lines, experiment.VerdictLine(status, "%s", text))
			}
		}
	}
	return lines
}

// fewest returns the number of runs of the first algorithm, and the smallest number of another.
func (r *Report) fewest() (first, other int) {
	first, other = len(r.Columns[0].Runs), len(r.Seeds)
	for i := range r.Columns[1:] {
		other = min(other, len(r.Columns[1+i].Runs))
	}
	return first, other
}

// certainties explains the words.
var certainties = fmt.Sprintf("sure: p < %v; likely: p < %v; unclear: above, or 1 is in the interval.", compare.SureP,
	compare.LikelyP)

// notes say how to read the tables.
func (r *Report) notes() (lines []string) {
	if len(r.Columns) > 1 {
		first, other := r.fewest()
		lines = append(lines, fmt.Sprintf(
			"%s / %s: ratio of the medians, with its 95 %% bootstrap interval of %d resamples.",
			r.Columns[1].Entry.Text, r.Columns[0].Entry.Text, compare.Resamples))
		least := fmt.Sprintf("%d against %d seeds can give no p below %s", first, other, pText(r.leastP()))
		switch {
		case first+other < 3:
			lines = append(lines, "One seed does not show the effect of chance: give more with --seeds.")
		case r.leastP() >= compare.LikelyP:
			lines = append(lines, fmt.Sprintf("Too few seeds to be sure of a difference: %s in a Mann-Whitney test. Give more "+
				"with --seeds.", least))
		case first+other <= compare.ExactLimit:
			lines = append(lines, fmt.Sprintf("%s Mann-Whitney, two-sided, exact with ties, not corrected for the number of "+
				"metrics; %s. JSON and CSV have p.", certainties, least))
		default:
			lines = append(lines, certainties+" Mann-Whitney, two-sided, normal approximation with ties, not corrected "+
				"for the number of metrics. JSON and CSV have p.")
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
