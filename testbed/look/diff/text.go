package diff

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// writer makes the document of a report.
type writer struct{ page.Document }

// line is a sentence, indented on a terminal.
func (w *writer) line(indent int, format string, args ...any) {
	w.Say("%s", strings.Repeat(" ", indent)+fmt.Sprintf(format, args...))
}

// Page is the report for all formats.
func (r *Report) Page() *page.Document {
	w := &writer{page.Document{
		Title:  fmt.Sprintf("A %s and B %s", r.A.Name, r.B.Name),
		Kind:   "diff",
		Record: r.Document(),
	}}
	if r.Same() {
		w.line(0, "%s: the same: %s with the same trace and metrics", w.Title, r.runs())
	} else {
		w.line(0, "%s: not the same", w.Title)
	}
	for _, path := range r.Alone {
		w.line(0, "%s has no partner on the other side, with its variant and seed", path)
	}
	for i := range r.Variants {
		v := &r.Variants[i]
		if len(r.Variants) > 1 {
			w.Add(page.Section{Title: v.name()})
		}
		v.writeInputs(w)
		v.writeFigures(w)
		v.writePairs(w, r)
	}
	return &w.Document
}

// runs counts the pairs.
func (r *Report) runs() string {
	n := 0
	for i := range r.Variants {
		n += len(r.Variants[i].Pairs)
	}
	return unit.Count(n, "run")
}

func (v *variant) writePairs(w *writer, r *Report) {
	w.Add(page.Gap{})
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
		if p.Rows != nil {
			w.line(2, "%s", p.Rows.words())
		}
		for _, side := range []struct {
			name string
			run  result.RunID
		}{{"A", p.A}, {"B", p.B}} {
			if side.run.WasInterrupted() {
				w.line(2, "%s was interrupted", side.name)
			}
		}
		if p.Search != nil {
			p.Search.write(w)
		}
	}
}

// words are the sentence about rows that differ.
func (r *rows) words() string {
	text := fmt.Sprintf("%s of %s %s, from row %d on", unit.Count(r.Number, "row"), flowsName, differs(r.Number), r.First)
	if r.Column != "" {
		text += fmt.Sprintf(": %s is %q in A and %q in B", r.Column, r.A, r.B)
	}
	return text + "; runs of one trace have the same, so a file was forged or another build wrote it"
}

// words say where two runs part.
func (p *PairReport) words() string {
	t := p.Parting
	text := ""
	switch {
	case t.Shorter && t.From == t.To:
		return fmt.Sprintf("the same up to %v, when one of them ended", t.To)
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
		text += fmt.Sprintf("; at the end %s %s: %s", unit.Count(len(t.Nodes), "node"), differs(len(t.Nodes)), list)
	}
	return text
}
