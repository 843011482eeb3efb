package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Figure is a metric of runs that differ only in their seeds.
type Figure struct {
	// Values are by run, NaN if the metric was not measured; N is the number of measured ones.
	Values []float64
	N      int
	// Median, Min and Max cover the measured values, NaN if there are none.
	Median, Min, Max float64
	// Edge is the kind of edge if the values are edges of a bin.
	Edge result.Edge
}

// FigureOf reads a metric from runs.
func FigureOf(m result.Metric, runs []campaign.Run) Figure {
	f := Figure{Min: math.NaN(), Max: math.NaN()}
	for i := range runs {
		f.Values = append(f.Values, m.Of(runs[i].Summary))
		f.Edge = max(f.Edge, m.EdgeOf(runs[i].Summary.Value))
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

// cells are the figures of a row for people: "median [least..largest]", and in how many of the runs it was measured if
// that is not all.
func cells(m result.Metric, row ...Figure) []page.Cell {
	var ranges []page.Range
	for _, f := range row {
		r := page.Range{Median: f.Median, Low: f.Min, High: f.Max, Edge: f.Edge}
		if f.N < len(f.Values) {
			r.Note = fmt.Sprintf("(%d of %d)", f.N, len(f.Values))
		}
		ranges = append(ranges, r)
	}
	return page.Figures(m, ranges...)
}

// exact is the figure as files have it: equal texts are equal figures.
func (f Figure) exact(m result.Metric) string {
	if f.N == 0 {
		return "-"
	}
	return fmt.Sprintf("%s %s %s %d", m.Format(f.Median), m.Format(f.Min), m.Format(f.Max), f.N)
}

// Sound reports whether runs can be the best: none is red, void or interrupted,
// and no flow was left incomplete.
func Sound(runs []campaign.Run) bool {
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r campaign.Run) bool {
		return r.Verdict.Status > result.Failed || r.Summary.Incomplete > 0
	})
}
