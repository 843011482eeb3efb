package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Figure is a metric of runs that differ in their seeds alone.
type Figure struct {
	// Values are by run, NaN where the metric was not measured; N is how many
	// were.
	Values []float64
	N      int
	// Median, Min and Max are of what was measured, NaN if nothing was.
	Median, Min, Max float64
}

// FigureOf reads a metric from runs.
func FigureOf(m result.Metric, runs []Run) Figure {
	f := Figure{Min: math.NaN(), Max: math.NaN()}
	for i := range runs {
		f.Values = append(f.Values, m.Of(runs[i].Summary))
	}
	sound := compare.Measured(f.Values)
	if f.N = len(sound); f.N > 0 {
		f.Min, f.Max = slices.Min(sound), slices.Max(sound)
	}
	f.Median = compare.Median(sound)
	return f
}

// Ranges is the title of the ranges of cells.
const Ranges = "[least..largest]"

// Cell is "median [least..largest]", and in how many of the runs it was
// measured where that is not all.
func (f Figure) Cell(m result.Metric) page.Cell {
	if f.N == 0 {
		return page.Cell{Text: "-"}
	}
	c := page.Cell{Text: m.Format(f.Median)}
	if f.N < len(f.Values) {
		c.Text += fmt.Sprintf(" (%d of %d)", f.N, len(f.Values))
	}
	if low, high := m.Format(f.Min), m.Format(f.Max); low != high {
		c.Detail = fmt.Sprintf("[%s..%s]", low, high)
	}
	return c
}

// Sound reports whether runs can be the best: none is red, void or interrupted,
// and no flow was left incomplete.
func Sound(runs []Run) bool {
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r Run) bool {
		return r.Verdict.Status > result.Failed || r.Summary.Incomplete > 0
	})
}
