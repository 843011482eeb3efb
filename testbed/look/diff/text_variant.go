package diff

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
)

func (v *variant) name() string {
	if first := v.Pairs[0]; first.A.Variant != first.B.Variant {
		return "A " + first.A.Variant + ", B " + first.B.Variant
	}
	return v.Pairs[0].A.Variant
}

func (v *variant) writeInputs(w *writer) {
	in := v.Inputs
	if len(in.Settings)+len(in.Flags)+len(in.Causes) == 0 {
		w.line(0, "inputs: the same scenario, seed, build, models, algorithms and parameters")
		return
	}
	w.Add(page.Gap{})
	w.line(0, "inputs that differ:")
	if len(in.Settings)+len(in.Flags) > 0 {
		t := page.New("key", "A", "B")
		for _, s := range in.Settings {
			t.Add(s.Key, orNone(s.A), orNone(s.B))
		}
		for _, s := range in.Flags {
			if !slices.ContainsFunc(in.Settings, func(other setting) bool { return other.Key == s.Key }) {
				t.Add("--set "+s.Key, orNone(s.A), orNone(s.B))
			}
		}
		if len(t.Rows) > 0 {
			w.Add(t)
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

func (v *variant) writeFigures(w *writer) {
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
		if !f.Tells() || f.Metric.FilesOnly() {
			hidden++
			continue
		}
		t.Rows = append(t.Rows, slices.Concat(page.Text(f.Metric.Name), f.figures(),
			page.Text(compare.RatioText(f.Ratio), f.evidence())))
	}
	t.ExplainEdges()
	w.Add(page.Gap{})
	if len(t.Rows) > 0 {
		head := "metrics that differ by more than chance may:"
		if len(v.Figures[0].valuesA) == 1 {
			head = "metrics that differ; one seed does not rule out chance:"
		}
		w.line(0, "%s", head)
		w.Add(t)
	}
	if hidden > 0 {
		w.line(0, "%s", v.hidden(hidden, len(t.Rows)))
	}
}

// hidden returns the reason why metrics that differ are not in the table.
func (v *variant) hidden(n, shown int) string {
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

// figures are the medians of both sides, with their ranges.
func (f *figure) figures() []page.Cell {
	var ranges []page.Range
	edges := []result.Edge{f.edgeA, f.edgeB}
	for i, values := range [][]float64{f.valuesA, f.valuesB} {
		r := page.Range{Median: math.NaN(), Edge: edges[i]}
		if sound := compare.Measured(values); len(sound) > 0 {
			r.Median, r.Low, r.High = compare.Median(sound), slices.Min(sound), slices.Max(sound)
		}
		ranges = append(ranges, r)
	}
	cells := page.Figures(f.Metric, ranges...)
	for i := range cells {
		if math.IsNaN(ranges[i].Median) {
			cells[i].Text = "not measured"
		}
	}
	return cells
}

// evidence is on what a difference rests.
func (f *figure) evidence() string {
	switch n := len(f.valuesA); {
	case f.Tested:
		return fmt.Sprintf("%d seeds, p %.3f", n, f.Test.P)
	case n > 1:
		return fmt.Sprintf("%d seeds, ranges apart", n)
	}
	return "one seed"
}
