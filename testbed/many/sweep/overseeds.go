package sweep

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Combination is the runs of one variant with the same values of all keys, which differ in their seeds.
type Combination struct {
	Keys    map[string]string `json:"keys"`
	Variant string            `json:"variant"`
	// Seeds is the number of its runs, Verdicts the number of each verdict, or state of a run without one.
	Seeds    int            `json:"seeds"`
	Verdicts map[string]int `json:"verdicts"`
	// Medians are the medians of metrics over runs with a result, by name; an unmeasured one is not there.
	Medians map[string]median `json:"medians"`

	lines []*Line
}

// median is the median of a metric over seeds.
type median struct {
	Value float64 `json:"value"`
	// Low and High are its interval, with compare.Confidence; absent for one run.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	Runs int      `json:"runs"`
}

// OverSeeds puts together lines that differ in their seeds only, in the order of their first, with the medians of
// metrics.
func OverSeeds(lines []Line, metrics []result.Metric) (list []*Combination) {
	for i := range lines {
		line := &lines[i]
		at := slices.IndexFunc(list, func(c *Combination) bool {
			return c.Variant == line.Variant && maps.Equal(c.Keys, line.Keys)
		})
		if at < 0 {
			at = len(list)
			list = append(list, &Combination{Keys: line.Keys, Variant: line.Variant, Verdicts: map[string]int{}})
		}
		c := list[at]
		c.Seeds++
		c.Verdicts[line.Verdict]++
		c.lines = append(c.lines, line)
	}
	for _, c := range list {
		c.Medians = map[string]median{}
		for _, m := range metrics {
			if median, measured := c.over(m.Name); measured {
				c.Medians[m.Name] = median
			}
		}
	}
	return list
}

// over is a metric over the seeds; false if no run measured it.
func (c *Combination) over(metric string) (m median, measured bool) {
	var values []float64
	for _, line := range c.lines {
		if v, ok := line.value(metric); ok {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return m, false
	}
	m = median{Value: compare.Median(values), Runs: len(values)}
	if of := compare.MedianInterval(values, "sweep/"+metric); !math.IsNaN(of.Low) {
		m.Low, m.High = &of.Low, &of.High
	}
	return m, true
}

// SheetOverSeeds is the CSV of combinations: the titles, and a row for each.
func SheetOverSeeds(list []*Combination, keys []string, metrics []result.Metric) [][]string {
	titles := append(slices.Clone(keys), "variant", "seeds", "verdicts")
	for _, m := range metrics {
		titles = append(titles, m.Name, m.Name+"_low", m.Name+"_high")
	}
	rows := [][]string{titles}
	for _, c := range list {
		row := c.about(keys)
		for _, m := range metrics {
			median, measured := c.Medians[m.Name]
			cells := []string{"", "", ""}
			if measured {
				for i, v := range []*float64{&median.Value, median.Low, median.High} {
					if v != nil {
						cells[i] = m.Format(*v)
					}
				}
			}
			row = append(row, cells...)
		}
		rows = append(rows, row)
	}
	return rows
}

// GridOverSeeds is the table of combinations for a person.
func GridOverSeeds(list []*Combination, keys []string, metrics []result.Metric) *page.Table {
	titles := append(slices.Clone(keys), "variant", "seeds", "verdicts")
	for _, m := range metrics {
		titles = append(titles, m.Name)
	}
	t := page.New(titles...)
	for _, c := range list {
		t.Rows = append(t.Rows, page.Text(c.about(keys)...))
	}
	for _, m := range metrics {
		ranges := make([]page.Range, len(list))
		for i, c := range list {
			ranges[i] = c.rangeOf(m)
		}
		for i, cell := range page.Figures(m, ranges...) {
			t.Rows[i] = append(t.Rows[i], cell)
		}
	}
	t.AlignFigures()
	t.ExplainEdges()
	t.Caption = "Medians over seeds [95 % interval, from resamples of the seeds]:"
	return t
}

// rangeOf is a median with its interval, and the edge that one of its runs has.
func (c *Combination) rangeOf(m result.Metric) page.Range {
	median, measured := c.Medians[m.Name]
	if !measured {
		return page.Range{Median: math.NaN()}
	}
	r := page.Range{Median: median.Value, Low: median.Value, High: median.Value}
	if median.Low != nil {
		r.Low, r.High = *median.Low, *median.High
	}
	for _, line := range c.lines {
		r.Edge = max(r.Edge, m.EdgeOf(line.value))
	}
	return r
}

func (c *Combination) about(keys []string) (cells []string) {
	for _, key := range keys {
		cells = append(cells, c.Keys[key])
	}
	var verdicts []string
	for _, verdict := range slices.Sorted(maps.Keys(c.Verdicts)) {
		verdicts = append(verdicts, fmt.Sprintf("%d %s", c.Verdicts[verdict], verdict))
	}
	return append(cells, c.Variant, strconv.Itoa(c.Seeds), strings.Join(verdicts, ", "))
}
