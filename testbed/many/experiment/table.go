package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// variant is the runs of one variant, one per seed.
type variant struct {
	name string
	runs []campaign.Run
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

// Document is the report for all formats.
func (r *Report) Document() *page.Document {
	d := &page.Document{Title: r.Scenario, Kind: "run"}
	vs := r.variants()
	for i := range vs {
		addLines(d, vs[i].verdicts())
	}
	addLines(d, r.baselineLines())
	addLines(d, NotRunLines(r.NotRun))
	d.Add(page.Gap{})
	if algorithms(vs) == agree && vs[0].runs[0].Summary.Algorithm != "" {
		d.Say("algorithm: %s", vs[0].runs[0].Summary.Algorithm)
	}
	sayAll(d, fabrics(vs))
	if title := r.title(vs); title != "" {
		d.Say("%s", title)
	}
	table := r.sideBySide(vs)
	Explain(table, soundness(vs))
	d.Add(table)
	sayAll(d, contrasts(vs))
	d.Add(page.Picture{Title: "longest queue", Lines: func(p page.Page) []string { return sparklines(vs, p) }})
	sayAll(d, jobTimes(vs))
	sayAll(d, slowestFlows(vs))
	if edges := r.edges(); edges != nil {
		edges.Caption = "lateness at the edges, on the wall (in: of incoming frames):"
		d.Add(edges)
	}
	for i := range vs {
		sayAll(d, vs[i].notes())
	}
	if r.Folder != "" {
		d.Add(page.Gap{}, page.Paragraph("run folder: "+r.Folder))
	}
	return d
}

func addLines(d *page.Document, lines []page.Line) {
	for _, line := range lines {
		d.Add(line)
	}
}

func sayAll(d *page.Document, texts []string) {
	for _, text := range texts {
		d.Say("%s", text)
	}
}

// baselineLines are the result of comparing the runs with a baseline.
func (r *Report) baselineLines() (lines []page.Line) {
	if r.Baseline == nil {
		return nil
	}
	status, said := result.Pass, r.Baseline.Lines()
	if r.Baseline.Failed() {
		status = result.Failed
	}
	lines = append(lines, VerdictLine(status, "baseline %s", said[0]))
	for _, text := range said[1:] {
		lines = append(lines, NoteLine("", "%s", text))
	}
	return lines
}

// label names the variant, and the seeds of a line where it has others, too.
func (v *variant) label(l *SeedsLine) string {
	if len(l.Seeds) == len(v.runs) {
		return v.name
	}
	return v.name + l.Of(len(v.runs))
}

// verdicts are the verdicts, with the reasons unless it is a pass; seeds with the same text are on one line.
func (v *variant) verdicts() (lines []page.Line) {
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
			lines = append(lines, VerdictLine(status, "%s: %s", name, l.Text))
		}
	}
	return lines
}

// fabrics names the fabrics of the variants, a line each: cells of that width would make the table wider than a screen.
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

// naming is the kind of names of the variants' algorithms.
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

// title describes the cells if there are several seeds.
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

// sideBySide is the table of metrics with a column per variant, and below it
// which are hidden; the files have them all.
func (r *Report) sideBySide(vs []variant) *page.Table {
	t := &page.Table{Columns: []page.Column{{Left: true}}, Details: Ranges}
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
		shown, t.LeftOut = Show(rows)
	}
	sound := soundness(vs)
	for _, i := range shown {
		t.Rows = append(t.Rows, slices.Concat(page.Text(rows[i].Metric.Name), rows[i].Cells(sound)))
	}
	if once { // of several seeds there are as many traces
		t.Rows, t.Details = append(t.Rows, trace), ""
	}
	return t
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
