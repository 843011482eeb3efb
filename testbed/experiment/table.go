package experiment

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/rocelab/rocelab/emulator/result"
)

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
	for _, line := range NotRunLines(r.NotRun) {
		b.WriteString(line + "\n")
	}
	b.WriteString("\n" + fabrics(vs) + sideBySide(vs) + "\n")
	b.WriteString(findings(vs))
	if r.Folder != "" {
		b.WriteString("\nrun folder: " + r.Folder + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// label names a run: its variant, and its seed where there are several.
func label(run Run, seeds bool) string {
	s := run.Summary
	name := s.Variant
	if seeds {
		name += fmt.Sprintf(" seed %d", s.Seed)
	}
	return name
}

// verdictLine is the verdict, and why unless it is a pass.
func verdictLine(run Run, seeds, colour bool) string {
	s, v := run.Summary, run.Verdict
	line := VerdictLine(v.Status, colour, "%s: %d of %d flows completed", label(run, seeds), s.Completed, s.Flows)
	for _, f := range v.Findings {
		if v.Status != result.Pass && f.Status == v.Status {
			line += "; " + f.Text
			break
		}
	}
	return line + "\n"
}

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
	header, algorithm, trace := table.Row{""}, table.Row{"algorithm"}, table.Row{"trace"}
	for _, v := range vs {
		header = append(header, label(v.runs[0], false))
		algorithm = append(algorithm, v.runs[0].Summary.Algorithm)
		if len(v.runs) == 1 {
			trace = append(trace, traceText(v.runs[0].Summary.Trace))
		} else {
			trace = append(trace, fmt.Sprintf("%d seeds: median (range)", len(v.runs)))
		}
	}
	t := NewTable(header)
	t.AppendRow(algorithm)
	for _, m := range result.Metrics() {
		if m.FilesOnly() {
			continue
		}
		row, idle := table.Row{m.Name}, true
		for _, v := range vs {
			cell, zero := cellOf(m, v.runs)
			row = append(row, cell)
			idle = idle && zero
		}
		if !idle || slices.Contains(alwaysShown, m.Name) {
			t.AppendRow(row)
		}
	}
	t.AppendRow(trace)
	return t.Render()
}

// alwaysShown are the metrics whose zero is news.
var alwaysShown = []string{"completed", "marks", "cnps", "pauses", "drops", "decisions"}

// cellOf prints a metric of one variant, and reports whether it is zero or
// unmeasured in all of its runs.
func cellOf(m result.Metric, runs []Run) (cell string, zero bool) {
	var values []float64
	for _, run := range runs {
		if v := m.Of(run.Summary); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return "-", true
	}
	slices.Sort(values)
	low, high := values[0], values[len(values)-1]
	cell = m.Format(values[(len(values)-1)/2])
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
			slices.SortStableFunc(fs, func(a, b result.Finding) int { return int(b.Status) - int(a.Status) })
			for _, f := range fs {
				word := f.Status.String()
				if f.Status == result.Pass {
					word = "note"
				}
				fmt.Fprintf(&b, "%s: %s: %s: %s\n", label(run, len(v.runs) > 1), word, f.Subject, f.Text)
			}
			for _, remark := range run.Remarks {
				fmt.Fprintf(&b, "%s: note: host: %s\n", label(run, len(v.runs) > 1), remark)
			}
		}
	}
	return b.String()
}
