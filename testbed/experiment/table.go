package experiment

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
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

func (r *Report) printTable(w io.Writer, p page.Page) error {
	var b strings.Builder
	write := func(indent int, lines ...string) {
		for _, line := range lines {
			b.WriteString(p.Fold(line, indent) + "\n")
		}
	}
	vs := r.variants()
	for i := range vs {
		write(LabelIndent, vs[i].verdicts(p.Colour)...)
	}
	write(LabelIndent, r.baselineLines(p.Colour)...)
	write(LabelIndent, NotRunLines(r.NotRun)...)
	write(0, "")
	if algorithms(vs) == agree && vs[0].runs[0].Summary.Algorithm != "" {
		write(NoteIndent, "algorithm: "+vs[0].runs[0].Summary.Algorithm)
	}
	write(NoteIndent, fabrics(vs)...)
	if title := r.title(vs); title != "" {
		write(NoteIndent, title)
	}
	table, hidden := r.sideBySide(vs)
	b.WriteString(p.Render(table) + "\n")
	for _, line := range []string{Legend(table, soundness(vs)), hidden} {
		if line != "" {
			write(NoteIndent, line)
		}
	}
	write(NoteIndent, contrasts(vs)...)
	for _, line := range sparklines(vs, p) {
		b.WriteString(line + "\n")
	}
	write(NoteIndent, slowestFlows(vs)...)
	if edges := r.edges(); edges != nil {
		write(NoteIndent, "lateness at the edges, on the wall (in: of what came in):")
		b.WriteString(p.Render(edges) + "\n")
	}
	for i := range vs {
		write(NoteIndent, vs[i].notes()...)
	}
	if r.Folder != "" {
		write(NoteIndent, "", "run folder: "+r.Folder)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// NoteIndent is what folded notes are indented by.
const NoteIndent = 4

// label names the variant, and the seeds of a line where it has others, too.
func (v *variant) label(l *SeedsLine) string {
	if len(l.Seeds) == len(v.runs) {
		return v.name
	}
	return v.name + l.Of(len(v.runs))
}

// verdicts are the verdicts, and why unless it is a pass; seeds of which the
// same is said are on one line.
func (v *variant) verdicts(colour bool) (lines []string) {
	said := map[result.Status][]SeedLine{}
	var order []result.Status
	for _, run := range v.runs {
		s, verdict := run.Summary, run.Verdict
		text := s.FlowsDone()
		for _, f := range verdict.Findings {
			if verdict.Status != result.Pass && f.Status == verdict.Status {
				text += "; " + f.Text
				break
			}
		}
		if verdict.Status == result.Failed && run.Timing != nil && run.Timing.Status() == result.Amber {
			text += "; on time: AMBER"
		}
		if said[verdict.Status] == nil {
			order = append(order, verdict.Status)
		}
		said[verdict.Status] = append(said[verdict.Status], SeedLine{s.Seed, text})
	}
	for _, status := range order {
		for _, l := range MergeSeeds(said[status]) {
			name := v.name
			if len(v.runs) > 1 {
				name += l.Of(len(v.runs))
			}
			lines = append(lines, VerdictLine(status, colour, "%s: %s", name, l.Text))
		}
	}
	return lines
}

// fabrics says on which fabrics the variants ran, a line each: cells of that
// width would make the table wider than a screen.
func fabrics(vs []variant) (lines []string) {
	var order []string
	on := map[string][]string{}
	for i := range vs {
		f := vs[i].runs[0].Summary.Fabric
		if on[f] == nil {
			order = append(order, f)
		}
		on[f] = append(on[f], vs[i].name)
	}
	for _, f := range order {
		switch {
		case f == "":
		case len(order) == 1:
			lines = append(lines, "fabric: "+f)
		default:
			lines = append(lines, fmt.Sprintf("fabric of %s: %s", strings.Join(on[f], ", "), f))
		}
	}
	return lines
}

// naming is what the variants' algorithms are.
type naming uint8

const (
	named  naming = iota // as the variants are called
	agree                // the same
	differ               // neither
)

func algorithms(vs []variant) naming {
	is, first := named, vs[0].runs[0].Summary.Algorithm
	for i := range vs {
		if vs[i].runs[0].Summary.Algorithm != vs[i].name {
			is = agree
		}
	}
	for i := range vs {
		if is != named && vs[i].runs[0].Summary.Algorithm != first {
			is = differ
		}
	}
	return is
}

// title says what cells are where there are several seeds.
func (r *Report) title(vs []variant) string {
	most := 0
	for i := range vs {
		most = max(most, len(vs[i].runs))
	}
	if most < 2 {
		return ""
	}
	return fmt.Sprintf("%d seeds: median %s", most, Ranges)
}

// soundness is which variants can be the best.
func soundness(vs []variant) (sound []bool) {
	for i := range vs {
		sound = append(sound, Sound(vs[i].runs))
	}
	return sound
}

// sideBySide is the table of metrics with a column per variant, and the line
// that says which are hidden; the files have them all.
func (r *Report) sideBySide(vs []variant) (t *page.Table, hidden string) {
	t = &page.Table{Columns: []page.Column{{Left: true}}, Details: Ranges}
	algorithm, trace := []string{"algorithm"}, page.Text("trace")
	once := true
	for i := range vs {
		v, s := &vs[i], vs[i].runs[0].Summary
		t.Columns = append(t.Columns, page.Column{Title: v.name})
		algorithm, trace = append(algorithm, s.Algorithm), append(trace, page.Cell{Detail: traceText(s.Trace)})
		once = once && len(v.runs) == 1
	}
	if r.Wide || algorithms(vs) == differ {
		t.Rows = append(t.Rows, page.Text(algorithm...))
	}
	rows := r.rows(vs)
	shown := make([]int, len(rows))
	for i := range rows {
		shown[i] = i
	}
	if !r.Wide && len(r.Metrics) == 0 {
		shown, hidden = Show(rows)
	}
	sound := soundness(vs)
	for _, i := range shown {
		t.Rows = append(t.Rows, slices.Concat(page.Text(rows[i].Metric.Name), rows[i].Cells(sound)))
	}
	if once { // of several seeds there are as many traces
		t.Rows, t.Details = append(t.Rows, trace), ""
	}
	return t, hidden
}

// rows are the metrics that were chosen, or all that tables have.
func (r *Report) rows(vs []variant) (rows []Row) {
	metrics := r.Metrics
	if len(metrics) == 0 {
		metrics = TableMetrics()
	}
	for _, m := range result.PerJob(metrics, result.JobsOf(Summaries(r.Runs)...)) {
		row := Row{Metric: m}
		for i := range vs {
			row.Figures = append(row.Figures, FigureOf(m, vs[i].runs))
		}
		rows = append(rows, row)
	}
	return rows
}
