package comparison

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/experiment"
)

var nan = math.NaN()

// Figure is a metric of one algorithm over the seeds.
type Figure struct {
	// Values are by seed, NaN where the metric was not measured; N is how many
	// were.
	Values []float64
	N      int
	// Median, Min and Max are of what was measured, NaN if nothing was.
	Median, Min, Max float64
}

func figureOf(m Metric, runs []experiment.Run) Figure {
	f := Figure{Min: nan, Max: nan}
	for i := range runs {
		f.Values = append(f.Values, m.Of(runs[i].Summary))
	}
	sound := measured(f.Values)
	if f.N = len(sound); f.N > 0 {
		f.Min, f.Max = slices.Min(sound), slices.Max(sound)
	}
	f.Median = Median(sound)
	return f
}

// Against is how a figure relates to the first algorithm's.
type Against struct {
	// Ratio is the ratio of the medians, NaN where the first's is 0 or one is not
	// measured; Interval is Bootstrap's.
	Ratio    float64
	Interval Interval
	Test     Test
}

func against(m Metric, first, other Figure, text string) Against {
	a, b := measured(first.Values), measured(other.Values)
	r := Against{Ratio: nan, Interval: Bootstrap(a, b, m.Name+"/"+text), Test: MannWhitney(a, b)}
	if first.Median != 0 {
		r.Ratio = other.Median / first.Median
	}
	return r
}

// Row is a metric of all algorithms.
type Row struct {
	Metric  Metric
	Figures []Figure
	// Against is by algorithm; the first one's is empty.
	Against []Against
	// Printed are the values of the reference, NaN where it has none.
	Printed []float64
}

// Rows works the rows out.
func (r *Report) Rows() (rows []Row) {
	for _, m := range r.rowMetrics() {
		row := Row{Metric: m, Against: make([]Against, len(r.Columns))}
		for i := range r.Columns {
			c := &r.Columns[i]
			row.Figures = append(row.Figures, figureOf(m, c.Runs))
			if i > 0 {
				row.Against[i] = against(m, row.Figures[0], row.Figures[i], c.Entry.Text)
			}
			printed, ok := r.Reference.of(c.Entry.Text, c.Algorithm)[m.Name]
			if !ok {
				printed = nan
			}
			row.Printed = append(row.Printed, printed)
		}
		rows = append(rows, row)
	}
	return rows
}

// rowMetrics are the metrics asked for, and further ones that the reference
// has values of.
func (r *Report) rowMetrics() []Metric {
	list := slices.Clone(r.Metrics)
	for i := range r.Columns {
		printed := r.Reference.of(r.Columns[i].Entry.Text, r.Columns[i].Algorithm)
		var more []string
		for name := range printed {
			if !slices.ContainsFunc(list, func(m Metric) bool { return m.Name == name }) {
				more = append(more, name)
			}
		}
		slices.Sort(more)
		for _, name := range more {
			if m, ok := metric(name); ok {
				list = append(list, m)
			}
		}
	}
	return list
}

// allZero reports whether a row has nothing to show.
func (row *Row) allZero() bool {
	if row.Metric.always {
		return false
	}
	for i, f := range row.Figures {
		if f.N > 0 && (f.Min != 0 || f.Max != 0) || row.Printed[i] == row.Printed[i] {
			return false
		}
	}
	return true
}

// Deviation is how far a median is from the printed value, as a part of that.
func (row *Row) Deviation(column int) float64 {
	if row.Printed[column] == 0 {
		return nan
	}
	return row.Figures[column].Median/row.Printed[column] - 1
}
