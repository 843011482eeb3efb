package divergence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/page"
	"github.com/rocelab/rocelab/testbed/statistics"
)

// writer writes a report for people: lines and tables, as a page of a terminal has them or in Markdown.
type writer struct {
	strings.Builder
	page     page.Page
	markdown bool
}

// Text is the report as a page has it, Markdown as a page of a job does.
func (r *Report) Text(p page.Page) string { return r.write(&writer{page: p}) }

// Markdown is the report in Markdown.
func (r *Report) Markdown() string { return r.write(&writer{markdown: true}) }

func (w *writer) line(indent int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if w.markdown {
		w.WriteString(page.Page{}.Fold(text, 0) + "\n\n")
		return
	}
	w.WriteString(strings.Repeat(" ", indent) + w.page.Fold(text, indent+2) + "\n")
}

func (w *writer) title(format string, args ...any) {
	if w.markdown {
		w.WriteString("### " + page.Page{}.Fold(fmt.Sprintf(format, args...), 0) + "\n\n")
		return
	}
	w.line(0, format, args...)
}

func (w *writer) table(t *page.Table) {
	if w.markdown {
		w.WriteString(t.Markdown() + "\n\n")
		return
	}
	w.WriteString(w.page.Render(t) + "\n")
}

func (w *writer) gap() {
	if !w.markdown {
		w.WriteString("\n")
	}
}

func (r *Report) write(w *writer) string {
	if r.Same() {
		w.title("A %s and B %s: the same: %s with the same trace and metrics", r.A.Name, r.B.Name, r.runs())
	} else {
		w.title("A %s and B %s: not the same", r.A.Name, r.B.Name)
	}
	for _, path := range r.Alone {
		w.line(0, "%s has no partner on the other side, with its variant and seed", path)
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		if len(r.Variants) > 1 {
			w.gap()
			w.title("%s", v.name())
		}
		v.writeInputs(w)
		v.writeFigures(w)
		v.writePairs(w, r)
	}
	return w.String()
}

// runs counts the pairs.
func (r *Report) runs() string {
	n := 0
	for i := range r.Variants {
		n += len(r.Variants[i].Pairs)
	}
	return counted(n, "run")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (v *Variant) name() string {
	if first := v.Pairs[0]; first.A.Variant != first.B.Variant {
		return "A " + first.A.Variant + ", B " + first.B.Variant
	}
	return v.Pairs[0].A.Variant
}

func (v *Variant) writeInputs(w *writer) {
	in := v.Inputs
	if len(in.Settings)+len(in.Flags)+len(in.Causes) == 0 {
		w.line(0, "inputs: the same scenario, seed, build, models, algorithms and parameters")
		return
	}
	w.gap()
	w.line(0, "inputs that differ:")
	if len(in.Settings)+len(in.Flags) > 0 {
		t := page.New("key", "A", "B")
		for _, s := range in.Settings {
			t.Add(s.Key, orNone(s.A), orNone(s.B))
		}
		for _, s := range in.Flags {
			if !slices.ContainsFunc(in.Settings, func(other Setting) bool { return other.Key == s.Key }) {
				t.Add("--set "+s.Key, orNone(s.A), orNone(s.B))
			}
		}
		if len(t.Rows) > 0 {
			w.table(t)
		}
	}
	for _, cause := range in.Causes {
		w.line(2, "B against A: %s", cause)
	}
}

func orNone(value string) string {
	if value == "" {
		return "not given"
	}
	return value
}

func (v *Variant) writeFigures(w *writer) {
	if v.All == 0 {
		w.line(0, "metrics: not compared, as a run was interrupted")
		return
	}
	if len(v.Figures) == 0 {
		w.line(0, "metrics: all %d are the same", v.All)
		return
	}
	t := page.New("metric", "A", "B", "B / A", "evidence")
	for i := range t.Columns {
		t.Columns[i].Left = i == 0 || i == 4
	}
	t.Details = "[least..largest]"
	hidden := 0
	for i := range v.Figures {
		f := &v.Figures[i]
		if !f.Tells || f.Metric.FilesOnly() {
			hidden++
			continue
		}
		ratio := "-"
		if r := f.B / f.A; !math.IsNaN(r) && !math.IsInf(r, 0) {
			ratio = fmt.Sprintf("%.3f", r)
		}
		t.Rows = append(t.Rows, []page.Cell{{Text: f.Metric.Name}, cell(f.Metric, f.valuesA), cell(f.Metric, f.valuesB),
			{Text: ratio}, {Text: f.evidence()}})
	}
	w.gap()
	if len(t.Rows) > 0 {
		w.line(0, "metrics that differ by more than chance may:")
		w.table(t)
	}
	if hidden > 0 {
		w.line(0, "%s", v.hidden(hidden, len(t.Rows)))
	}
}

// hidden says why metrics that differ are not in the table.
func (v *Variant) hidden(n, shown int) string {
	more := ""
	if shown > 0 {
		more = " more"
	}
	why := "by no more than their seeds do, or as a second reading of another"
	if len(v.Pairs) == 1 {
		why = "by a factor below 1.1, which one seed cannot tell from chance, or as a second reading of another"
	}
	return fmt.Sprintf("metrics: of %d there %s%s that %s, %s", v.All, isOrAre(n), more, differs(n), why)
}

func isOrAre(n int) string {
	if n == 1 {
		return "is 1"
	}
	return fmt.Sprintf("are %d", n)
}

func differs(n int) string {
	if n == 1 {
		return "differs"
	}
	return "differ"
}

// cell is the median of values, with their range.
func cell(m result.Metric, values []float64) page.Cell {
	sound := statistics.Measured(values)
	if len(sound) == 0 {
		return page.Cell{Text: "not measured"}
	}
	c := page.Cell{Text: m.Format(statistics.Median(sound))}
	if low, high := m.Format(slices.Min(sound)), m.Format(slices.Max(sound)); low != high {
		c.Detail = fmt.Sprintf("[%s..%s]", low, high)
	}
	return c
}

// evidence is on what a difference rests.
func (f *Figure) evidence() string {
	switch n := len(f.valuesA); {
	case !math.IsNaN(f.P):
		return fmt.Sprintf("%d seeds, p %.3f", n, f.P)
	case n > 1:
		return fmt.Sprintf("%d seeds, ranges apart", n)
	}
	return "one seed"
}

func (v *Variant) writePairs(w *writer, r *Report) {
	w.gap()
	for i := range v.Pairs {
		p := &v.Pairs[i]
		name := p.A.Folder
		if p.A.Folder != p.B.Folder {
			name = "A " + p.A.Folder + ", B " + p.B.Folder
		}
		switch {
		case p.Same && len(p.Files) == 0:
			w.line(0, "%s: the same trace, %s", name, p.A.Trace)
		case p.Same:
			w.line(0, "%s: the same trace, %s; other bytes in %s", name, p.A.Trace, strings.Join(p.Files, ", "))
		case p.Unknown != "":
			w.line(0, "%s: another trace, and from when on is not known: %s", name, p.Unknown)
		default:
			w.line(0, "%s: %s", name, p.words())
		}
		for _, side := range []struct {
			name string
			run  result.RunID
		}{{"A", p.A}, {"B", p.B}} {
			if interrupted(side.run) {
				w.line(2, "%s was interrupted", side.name)
			}
		}
		if p.Search != nil {
			p.Search.write(w)
		}
	}
}

// words say where two runs part.
func (p *PairReport) words() string {
	t := p.Parting
	text := ""
	switch {
	case t.Shorter && t.From == t.To:
		return fmt.Sprintf("the same up to %v, where one of them ended", t.To)
	case t.Shorter:
		return fmt.Sprintf("the same up to %v, the last instant that both have; one of them ended at %v", t.From, t.To)
	case t.From == 0:
		text = fmt.Sprintf("another trace already at %v, the first instant that both have", t.To)
	default:
		text = fmt.Sprintf("the same up to %v, and not at %v", t.From, t.To)
	}
	if len(t.Nodes) > 0 {
		const most = 8
		list := strings.Join(t.Nodes[:min(most, len(t.Nodes))], ", ")
		if len(t.Nodes) > most {
			list += ", ..."
		}
		text += fmt.Sprintf("; at the end %s %s: %s", counted(len(t.Nodes), "node"), differs(len(t.Nodes)), list)
	}
	return text
}

func (o *Outcome) write(w *writer) {
	for i := range o.Unlike {
		u := &o.Unlike[i]
		w.line(2, "%s", u.Text)
		if u.Hint != "" {
			w.line(2, "%s", u.Hint)
		}
	}
	if o.Reason != "" {
		w.line(2, "%s", o.Reason)
	}
	for i := range o.Unlike {
		if u := &o.Unlike[i]; u.Captured != nil {
			u.Captured.write(w, fmt.Sprintf("%s: the first frame captured that is not as made again",
				u.Side.Path(u.Run)), "made again", "captured", [3]string{"both    ", "again   ", "captured"})
		}
	}
	if o.First != nil {
		o.First.write(w, "the first frame that differs", "A", "B", [3]string{"A B", "A  ", "  B"})
	}
}

// write writes a frame that differs, with the names of the sides and what lines begin with that are of both, of the
// first and of the second.
func (f *First) write(w *writer, title, a, b string, marks [3]string) {
	w.gap()
	w.line(0, "%s: at %s, %s:%d", title, microseconds(f.At), f.Node, f.Port)
	for _, c := range f.Changes {
		w.line(2, "%s: %s %s, %s %s", c.Field, c.A, in(a), c.B, in(b))
	}
	switch {
	case f.B == nil:
		w.line(2, "only %s: there is no such frame %s at that time", in(a), in(b))
	case f.A == nil:
		w.line(2, "only %s: there is no such frame %s at that time", in(b), in(a))
	}
	if w.markdown {
		w.WriteString("```\n")
		defer w.WriteString("```\n")
	}
	for i := range f.Before {
		w.frame(marks[0], " ", &f.Before[i])
	}
	if len(f.Before) == 0 {
		w.WriteString("  (nothing at that port before it in the span)\n")
	}
	for _, side := range []struct {
		name  string
		frame *Frame
		after []Frame
	}{{marks[1], f.A, f.AfterA}, {marks[2], f.B, f.AfterB}} {
		if side.frame != nil {
			w.frame(side.name, ">", side.frame)
		}
		for i := range side.after {
			w.frame(side.name, " ", &side.after[i])
		}
	}
}

// in is a side as a sentence has it.
func in(side string) string {
	if len(side) == 1 {
		return "in " + side
	}
	return side
}

// frame writes a line about a frame.
func (w *writer) frame(sides, mark string, f *Frame) {
	fmt.Fprintf(w, "%s %s %s  %s\n", mark, sides, microseconds(f.At), page.Page{}.Fold(f.String(), 0))
}

// microseconds is an instant to the picosecond.
func microseconds(t unit.Time) string { return fmt.Sprintf("%d.%06dus", t/1e6, t%1e6) }
