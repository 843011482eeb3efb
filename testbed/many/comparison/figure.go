package comparison

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/many/experiment"
)

var nan = math.NaN()

// Row is a metric of all algorithms.
type Row struct {
	experiment.Row
	// Against are the differences of each algorithm from the first; the first one's is empty.
	Against []compare.Difference
	// Printed are the values of the reference, NaN if it has none.
	Printed []float64
}

// Rows works the rows out.
func (r *Report) Rows() (rows []Row) {
	for _, m := range r.rowMetrics() {
		row := Row{Row: experiment.Row{Metric: m}, Against: make([]compare.Difference, len(r.Columns))}
		for i := range r.Columns {
			c := &r.Columns[i]
			row.Figures = append(row.Figures, recorded(experiment.FigureOf(m, c.Runs), m))
			if i > 0 {
				row.Against[i] = compare.Between(row.Figures[0].Values, row.Figures[i].Values, m)
			}
			printed, ok := r.Reference.of(c.Entry.Text, c.Algorithm)[m.Name]
			if !ok {
				printed = nan
			}
			row.Kept = row.Kept || ok
			row.Printed = append(row.Printed, printed)
		}
		rows = append(rows, row)
	}
	return rows
}

// recorded is a figure of the values in summary.json, which are the compared ones.
func recorded(f experiment.Figure, m result.Metric) experiment.Figure {
	for i, value := range f.Values {
		f.Values[i] = m.Rounded(value)
	}
	f.Median, f.Min, f.Max = compare.Median(compare.Measured(f.Values)), m.Rounded(f.Min), m.Rounded(f.Max)
	return f
}

// rowMetrics are the metrics asked for, and further ones that the reference
// has values of.
func (r *Report) rowMetrics() []result.Metric {
	var summaries []*result.Summary
	for i := range r.Columns {
		summaries = append(summaries, experiment.Summaries(r.Columns[i].Runs)...)
	}
	list := result.PerJob(r.Metrics, result.JobsOf(summaries...))
	for i := range r.Columns {
		printed := r.Reference.of(r.Columns[i].Entry.Text, r.Columns[i].Algorithm)
		var more []string
		for name := range printed {
			if !slices.ContainsFunc(list, func(m result.Metric) bool { return m.Name == name }) {
				more = append(more, name)
			}
		}
		slices.Sort(more)
		for _, name := range more {
			if m, ok := result.MetricOf(name); ok {
				list = append(list, m)
			}
		}
	}
	return list
}

// Deviation returns the distance of a median from the printed value, as a part of that.
func (row *Row) Deviation(column int) float64 {
	if row.Printed[column] == 0 {
		return nan
	}
	return row.Figures[column].Median/row.Printed[column] - 1
}
