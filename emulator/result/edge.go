package result

import (
	"math"
	"strings"

	"github.com/rocelab/rocelab/emulator/record"
)

// Edge is which side of a value the true one is, if the value is the edge of a bin of a histogram.
type Edge string

// Exact is not an edge; with AtMost or AtLeast the true value is at most or at least the printed one.
const (
	Exact   Edge = ""
	AtMost  Edge = "\u2264"
	AtLeast Edge = "\u2265"
)

// Text prints a value of the metric for people, with its sign as an edge. The lower edge 0 only means that the value is
// in the first bin, so the bin's upper edge is printed: "< 8.192 KB".
func (e Edge) Text(m Metric, value float64) string {
	if e == AtLeast && value == 0 {
		return "< " + m.Figure(m.bin.first)
	}
	return strings.TrimSpace(string(e) + " " + m.Figure(value))
}

// bin describes a metric or column whose values are edges of a histogram's bins.
type bin struct {
	// edge is which of its two edges they are, Exact if there are no bins.
	edge Edge
	// largest is the metric or column with the largest value that was measured: what reaches it is exact.
	largest string
	// first is the upper edge of the first bin, if edge is the lower one.
	first float64
}

// Quantiles of times are the upper edges of bins, unless they are the largest; quantiles of queue lengths are lower
// edges.
func upperEdge(largest string) bin { return bin{edge: AtMost, largest: largest} }

func lowerEdge(largest string) bin {
	_, _, first := record.DepthRange(0)
	return bin{edge: AtLeast, largest: largest, first: float64(first)}
}

// of is which edge a value is; of gives other metrics or columns of the same run or row by name.
func (b bin) of(value float64, of func(name string) (value float64, known bool)) Edge {
	if b.edge == Exact || math.IsNaN(value) {
		return Exact
	}
	largest, known := of(b.largest)
	switch known = known && !math.IsNaN(largest); {
	case b.edge == AtMost && (value == 0 || known && value >= largest):
		return Exact
	case b.edge == AtLeast && value == 0 && (!known || largest == 0):
		return Exact // of a queue that was always empty
	}
	return b.edge
}

// EdgeOf is which edge of a bin a metric's value is; of gives the metrics of the same run by name, as Summary.Value
// does.
func (m Metric) EdgeOf(of func(metric string) (value float64, known bool)) Edge {
	value, _ := of(m.Name)
	return m.bin.of(value, of)
}

// binned is a distribution from a histogram, whose quantiles are upper edges of its bins.
func binned(spread []Metric) []Metric {
	largest := spread[len(spread)-1].Name
	for i := range spread {
		if strings.Contains(spread[i].Name, "_p50") || strings.Contains(spread[i].Name, "_p99") {
			spread[i].bin = upperEdge(largest)
		}
	}
	return spread
}

// within marks a metric's values as edges of bins.
func (m Metric) within(b bin) Metric {
	m.bin = b
	return m
}

// within marks a column's values as edges of bins.
func (c column[R]) within(b bin) column[R] {
	c.bin = b
	return c
}

// ColumnEdge is which edge of a bin the value of a sheet's column is; of gives the columns of the same row by name.
func ColumnEdge(file, column string, of func(column string) (value float64, known bool)) Edge {
	value, known := of(column)
	for _, s := range sheets {
		if known && s.name() == file {
			return s.binOf(column).of(value, of)
		}
	}
	return Exact
}

// binOf is the bin of a column.
func (s sheet[R]) binOf(column string) bin {
	for _, c := range s.columns {
		if c.name == column {
			return c.bin
		}
	}
	return bin{}
}
