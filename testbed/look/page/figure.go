package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
)

// Range is the median, the least and the largest value of a metric. Range: NaN if it was not measured.
type Range struct {
	Median, Low, High float64
	// Edge is the side of the median that the true value is on, if values are edges of bins.
	Edge result.Edge
	// Note follows the median, such as in how many runs it was measured; "" for none.
	Note string
}

// Figures are the cells of a metric's ranges, which stand in one row: a median in the unit that fits it, with its range
// in the same unit. A range that is printed without its median has a unit, the one that fits the largest of the row.
func Figures(m result.Metric, ranges ...Range) (cells []Cell) {
	largest := 0.0
	for _, r := range ranges {
		if !math.IsNaN(r.Median) {
			largest = max(largest, math.Abs(r.Median))
		}
	}
	common := m.Scale(largest)
	for _, r := range ranges {
		if math.IsNaN(r.Median) {
			cells = append(cells, Cell{Text: "-"})
			continue
		}
		c := Cell{Text: strings.TrimSpace(r.Edge.Text(m, r.Median) + " " + r.Note)}
		scale := m.Scale(r.Median)
		if low, high := m.In(scale, r.Low), m.In(scale, r.High); low != high {
			c.Detail = fmt.Sprintf("[%s..%s]", low, high)
			c.Alone = common.Text(fmt.Sprintf("[%s..%s]", m.In(common, r.Low), m.In(common, r.High)))
		}
		cells = append(cells, c)
	}
	return cells
}
