package result

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Format is how a report is printed.
type Format string

// The formats.
const (
	FormatTable Format = "table"
	FormatJSON  Format = "json"
	FormatCSV   Format = "csv"
)

// ParseFormat reads a format's name.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case FormatTable, FormatJSON, FormatCSV:
		return f, nil
	}
	return "", fmt.Errorf("%q is no format: allowed are table, json, csv", s)
}

// Run is a run as a report shows it.
type Run struct {
	Summary *Summary
	Verdict Verdict
	// Remarks are the host's: see Outcome.
	Remarks []string
}

// Report is what a person reads after a command: the verdicts first, then the
// runs side by side, then the findings, then where the files are.
type Report struct {
	// Scenario is its name.
	Scenario string
	Runs     []Run
	// NotRun names the runs that an interruption left no time for.
	NotRun []string
	// Folder is where the run folder is; "" for none.
	Folder string
}

// ExitCode is that of the report's verdicts.
func (r *Report) ExitCode() int {
	var vs []Verdict
	for _, run := range r.Runs {
		vs = append(vs, run.Verdict)
	}
	return ExitCode(vs...)
}

// Print prints the report; colour is for tables on a terminal.
func (r *Report) Print(w io.Writer, f Format, colour bool) error {
	switch f {
	case FormatJSON:
		return r.printJSON(w)
	case FormatCSV:
		return r.printCSV(w)
	}
	return r.printTable(w, colour)
}

func (r *Report) printJSON(w io.Writer) error {
	out := struct {
		Scenario string        `json:"scenario"`
		Folder   string        `json:"folder,omitempty"`
		Runs     []summaryJSON `json:"runs"`
		NotRun   []string      `json:"not_run,omitempty"`
	}{r.Scenario, r.Folder, []summaryJSON{}, r.NotRun}
	for _, run := range r.Runs {
		out.Runs = append(out.Runs, toJSON(run.Summary, run.Verdict))
	}
	return writeJSON(w, out)
}

// printCSV prints a row per run and a column per metric.
func (r *Report) printCSV(w io.Writer) error {
	columns := []column[Run]{
		textColumn("scenario", "", func(*Run) string { return r.Scenario }),
		textColumn("variant", "", func(x *Run) string { return x.Summary.Variant }),
		textColumn("algorithm", "", func(x *Run) string { return x.Summary.Algorithm }),
		intColumn("seed", "", func(x *Run) uint64 { return x.Summary.Seed }),
		textColumn("verdict", "", func(x *Run) string { return x.Verdict.Status.String() }),
		textColumn("trace", "", func(x *Run) string { return traceText(x.Summary.Trace) }),
	}
	for _, m := range metrics {
		columns = append(columns, textColumn(m.Name, "", func(x *Run) string { return m.Format(m.of(x.Summary)) }))
	}
	return sheet[Run]{columns: columns}.write(w, func(yield func(*Run) bool) {
		for i := range r.Runs {
			if !yield(&r.Runs[i]) {
				return
			}
		}
	})
}

// variant is the runs of one variant, one per seed.
type variant struct {
	name string
	runs []Run
}

// variants groups the runs, in their order.
func (r *Report) variants() (vs []variant) {
	for _, run := range r.Runs {
		i := slices.IndexFunc(vs, func(v variant) bool { return v.name == run.Summary.Variant })
		if i < 0 {
			i, vs = len(vs), append(vs, variant{name: run.Summary.Variant})
		}
		vs[i].runs = append(vs[i].runs, run)
	}
	return vs
}

func (r *Report) printTable(w io.Writer, colour bool) error {
	var b strings.Builder
	vs := r.variants()
	for _, v := range vs {
		for _, run := range v.runs {
			b.WriteString(verdictLine(run, len(v.runs) > 1, colour))
		}
	}
	b.WriteString(r.notRun())
	b.WriteString("\n" + fabrics(vs) + sideBySide(vs) + "\n")
	b.WriteString(findings(vs))
	if r.Folder != "" {
		b.WriteString("\nrun folder: " + r.Folder + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// maxNotRun bounds the names of runs that were not run; the rest is counted.
const maxNotRun = 10

// notRun is the line after the verdicts that says what has none.
func (r *Report) notRun() string {
	names, more := r.NotRun, ""
	if len(names) == 0 {
		return ""
	}
	if n := len(names) - maxNotRun; n > 0 {
		names, more = names[:maxNotRun], fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("%-11s %s%s\n", "NOT RUN", strings.Join(names, ", "), more)
}

// label names a run: its variant, and its seed where there are several.
func label(run Run, seeds bool) string {
	s := run.Summary
	name := s.Variant
	if name == "" {
		name = s.Algorithm
	}
	if seeds {
		name += fmt.Sprintf(" seed %d", s.Seed)
	}
	return name
}

var statusColours = map[Status]text.Colors{Pass: {text.FgGreen, text.Bold}, Failed: {text.FgRed, text.Bold},
	Void: {text.FgYellow, text.Bold}, Interrupted: {text.FgYellow, text.Bold}, Red: {text.BgRed, text.FgWhite, text.Bold}}

// verdictLine is the verdict, and why unless it is a pass.
func verdictLine(run Run, seeds, colour bool) string {
	s, v := run.Summary, run.Verdict
	word := fmt.Sprintf("%-11s", strings.ToUpper(v.Status.String()))
	if colour {
		word = escape(word, statusColours[v.Status])
	}
	line := fmt.Sprintf("%s %s: %d of %d flows completed", word, label(run, seeds), s.Completed, s.Flows)
	for _, f := range v.Findings {
		if v.Status != Pass && f.Status == v.Status {
			line += "; " + f.Text
			break
		}
	}
	return line + "\n"
}

// escape colours text whatever the library guesses of the terminal: the caller
// has looked already.
func escape(s string, c text.Colors) string { return c.EscapeSeq() + s + text.EscapeReset }

// fabrics says on which fabrics the variants ran, a line each: cells of that
// width would make the table wider than a screen.
func fabrics(vs []variant) string {
	var order []string
	on := map[string][]string{}
	for _, v := range vs {
		f := v.runs[0].Summary.Fabric
		if on[f] == nil {
			order = append(order, f)
		}
		on[f] = append(on[f], label(v.runs[0], false))
	}
	var b strings.Builder
	for _, f := range order {
		switch {
		case f == "":
		case len(order) == 1:
			fmt.Fprintf(&b, "fabric: %s\n", f)
		default:
			fmt.Fprintf(&b, "fabric of %s: %s\n", strings.Join(on[f], ", "), f)
		}
	}
	return b.String()
}

// sideBySide is the table of metrics with a column per variant. Of several
// seeds a cell gives the median and the range. Metrics that are zero or
// unmeasured everywhere are left out; the files have them.
func sideBySide(vs []variant) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.Style().Options.SeparateRows = false
	header, algorithm, trace := table.Row{""}, table.Row{"algorithm"}, table.Row{"trace"}
	configs := []table.ColumnConfig{}
	for i, v := range vs {
		header = append(header, label(v.runs[0], false))
		algorithm = append(algorithm, v.runs[0].Summary.Algorithm)
		if len(v.runs) == 1 {
			trace = append(trace, traceText(v.runs[0].Summary.Trace))
		} else {
			trace = append(trace, fmt.Sprintf("%d seeds: median (range)", len(v.runs)))
		}
		configs = append(configs, table.ColumnConfig{Number: i + 2, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.AppendHeader(header)
	t.SetColumnConfigs(configs)
	t.AppendRow(algorithm)
	for _, m := range metrics {
		if strings.HasPrefix(m.Name, sampleMetrics) {
			continue
		}
		row, idle := table.Row{m.Name}, true
		for _, v := range vs {
			cell, zero := cellOf(m, v.runs)
			row = append(row, cell)
			idle = idle && zero
		}
		if !idle || alwaysShown[m.Name] {
			t.AppendRow(row)
		}
	}
	t.AppendRow(trace)
	return t.Render()
}

// alwaysShown are the metrics whose zero is news.
var alwaysShown = map[string]bool{"completed": true, "marks": true, "cnps": true, "pauses": true, "drops": true, "decisions": true}

// cellOf prints a metric of one variant, and tells whether it is zero or
// unmeasured in all of its runs.
func cellOf(m Metric, runs []Run) (cell string, zero bool) {
	var values []float64
	for _, run := range runs {
		if v := m.of(run.Summary); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return "-", true
	}
	slices.Sort(values)
	low, high := values[0], values[len(values)-1]
	cell = m.Format(quantile(values, 50))
	if low != high {
		cell += fmt.Sprintf(" (%s..%s)", m.Format(low), m.Format(high))
	}
	return cell, low == 0 && high == 0
}

// findings lists what the verdicts say, gravest first within a run.
func findings(vs []variant) string {
	var b strings.Builder
	for _, v := range vs {
		for _, run := range v.runs {
			fs := slices.Clone(run.Verdict.Findings)
			slices.SortStableFunc(fs, func(a, b Finding) int { return int(b.Status) - int(a.Status) })
			for _, f := range fs {
				word := f.Status.String()
				if f.Status == Pass {
					word = "note"
				}
				fmt.Fprintf(&b, "%s: %s: %s: %s\n", label(run, len(v.runs) > 1), word, f.About, f.Text)
			}
			for _, remark := range run.Remarks {
				fmt.Fprintf(&b, "%s: note: host: %s\n", label(run, len(v.runs) > 1), remark)
			}
		}
	}
	return b.String()
}
