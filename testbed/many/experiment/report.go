package experiment

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/baseline"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Report is a person's view after a run: the verdicts first, then the runs side by side, then the findings, then the
// places of the files.
type Report struct {
	// Scenario is its name, Overrides are the values that flags changed, by path.
	Scenario  string
	Overrides map[string]string
	Runs      []campaign.Run
	// Metrics are the rows of the table, nil for the informative ones; Wide shows them all.
	Metrics []result.Metric
	Wide    bool
	// NotRun names the runs that an interruption left no time for.
	NotRun []string
	// Baseline is the result of comparing the runs with a kept run folder; nil for none.
	Baseline *baseline.Judgement
	// Folder is where the run folder is; "" for none. Printed are the files in it
	// that have what programs of algorithms printed.
	Folder  string
	Printed []string
}

// ExitCode is the one of the report's verdicts. A metric that is worse than the baseline allows is
// a failure.
func (r *Report) ExitCode() int {
	var verdicts []result.Verdict
	for _, run := range r.Runs {
		verdicts = append(verdicts, run.Verdict)
	}
	if r.Baseline != nil && r.Baseline.Failed() {
		verdicts = append(verdicts, result.Verdict{Status: result.Failed})
	}
	return result.ExitCode(verdicts...)
}

// Interrupted reports whether an interruption cut a run short or left no time for one. The exit code does not show it
// for a run that is red as well.
func (r *Report) Interrupted() bool {
	interrupted := func(run campaign.Run) bool { return run.Verdict.WasInterrupted() }
	return len(r.NotRun) > 0 || slices.ContainsFunc(r.Runs, interrupted)
}

// Print prints the report; the page is for tables.
func (r *Report) Print(w io.Writer, f page.Format, p page.Page) error {
	d := r.Document()
	d.Record, d.Rows = r.record(), r.sheet()
	return d.Print(w, f, p)
}

// record is the report as JSON has it.
func (r *Report) record() any {
	out := struct {
		Scenario  string             `json:"scenario"`
		Overrides map[string]string  `json:"overrides,omitempty"`
		Folder    string             `json:"folder,omitempty"`
		Runs      []any              `json:"runs"`
		NotRun    []string           `json:"not_run,omitempty"`
		Baseline  *baseline.Document `json:"baseline,omitempty"`
	}{
		Scenario:  r.Scenario,
		Overrides: r.Overrides,
		Folder:    r.Folder,
		Runs:      []any{},
		NotRun:    r.NotRun,
		Baseline:  r.Baseline.Document(),
	}
	for _, run := range r.Runs {
		out.Runs = append(out.Runs, result.Document(run.Summary, run.Verdict, run.Timing))
	}
	return out
}

// sheet is the content of CSV: a row for each run, and a column for each override and each metric that any run has, and
// for live runs columns of time.
func (r *Report) sheet() [][]string {
	header := []string{"scenario", "variant", "algorithm", "seed", "verdict", "trace"}
	var set []string
	for _, path := range slices.Sorted(maps.Keys(r.Overrides)) {
		if path != "seed" && path != "variants" { // these have columns
			header, set = append(header, "set."+path), append(set, r.Overrides[path])
		}
	}
	metrics := result.MetricsOf(Summaries(r.Runs)...)
	for _, m := range metrics {
		header = append(header, m.Name)
	}
	live := r.live()
	if live {
		header = append(header, timingColumns...)
	}
	rows := [][]string{header}
	for _, run := range r.Runs {
		s := run.Summary
		seed := strconv.FormatUint(s.Seed, 10)
		row := []string{r.Scenario, s.Variant, s.Algorithm, seed, run.Verdict.Status.String(), traceText(s.Trace)}
		row = append(row, set...)
		for _, m := range metrics {
			row = append(row, m.Format(m.Of(s)))
		}
		if live {
			row = append(row, timingCells(run.Timing)...)
		}
		rows = append(rows, row)
	}
	return rows
}

// traceText prints a trace as the files of a run folder have it.
func traceText(trace uint64) string { return fmt.Sprintf("%016x", trace) }
