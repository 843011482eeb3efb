package sweep

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/compare"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// UsualMetrics are the metrics that a page draws by default.
var UsualMetrics = []string{"fct_p99_us", "queueing_p99_us", "goodput_gbps"}

// combination is the runs of a sweep that differ only in their seeds.
type combination struct {
	keys    map[string]string
	variant string
	lines   []*Line
}

// PageOf draws a sweep: each key against each metric with the range over the runs, two
// keys as a matrix, two metrics as a front, and a table of the combinations. Metrics are from
// one to any number; the first two make the front.
func PageOf(scenario string, keys []string, lines []Line, metrics []result.Metric) *page.Document {
	all, metrics := combinationsOf(lines), PerJob(metrics, lines)
	d := &page.Document{
		Title: scenario,
		Kind:  "sweep",
		Facts: []string{fmt.Sprintf("%d runs, %d combinations", len(lines), len(all))},
	}
	missing := 0
	for i := range lines {
		if lines[i].Metrics == nil {
			missing++
		}
	}
	if missing > 0 {
		d.Facts = append(d.Facts, fmt.Sprintf("%d without a result, which are not drawn", missing))
	}
	variants := distinct(all, func(c *combination) string { return c.variant })
	addDrawn(d, "One key", "A mark is the median, a bar the range: over seeds, and over all other keys. ~ is before the "+
		"middle of several values that share a place.", byKey(keys, variants, all, metrics))
	addDrawn(d, "Two keys", "Medians over seeds, and over all other keys.", inTwo(keys, variants, all, metrics))
	addDrawn(d, "Two metrics", "A mark is a combination: its medians over seeds.", asFront(variants, all, metrics))
	d.Add(page.Section{Title: "Combinations"},
		page.Paragraph("The median over the runs of each combination, and the least and the most in brackets."),
		combinationTable(keys, all, metrics))
	d.Say("Each number is from row.json of a run, as in rocelab sweep table --format csv.")
	return d
}

// addDrawn adds pictures below a heading; none if there is none.
func addDrawn(d *page.Document, title, lead string, pictures []*picture.Picture) {
	if len(pictures) == 0 {
		return
	}
	d.Add(page.Section{Title: title}, page.Paragraph(lead))
	for _, drawn := range pictures {
		d.Add(page.Drawn(drawn))
	}
}

// combinationTable has a row for each combination.
func combinationTable(keys []string, all []*combination, metrics []result.Metric) *page.Table {
	t := page.New(append(append(slices.Clone(keys), "variant", "runs"), names(metrics)...)...)
	for _, c := range all {
		var row []string
		for _, key := range keys {
			row = append(row, c.keys[key])
		}
		cells := page.Text(append(row, c.variant, fmt.Sprint(len(c.lines)))...)
		for _, m := range metrics {
			cells = append(cells, c.figure(m))
		}
		t.Rows = append(t.Rows, cells)
	}
	t.AlignFigures()
	t.ExplainEdges()
	return t
}

func names(metrics []result.Metric) (list []string) {
	for _, m := range metrics {
		list = append(list, m.Name)
	}
	return list
}

// figure is a metric over the runs of a combination.
func (c *combination) figure(m result.Metric) page.Cell {
	r := rangeOf(m.Name, c)
	if math.IsNaN(r.Median) {
		return page.Cell{}
	}
	edge := result.Exact
	for _, line := range c.lines {
		edge = max(edge, m.EdgeOf(line.value))
	}
	return page.Figures(m, page.Range{Median: r.Median, Low: r.Low, High: r.High, Edge: edge})[0]
}

// combinationsOf groups runs, in their order.
func combinationsOf(lines []Line) (all []*combination) {
	of := map[string]*combination{}
	for i := range lines {
		line := &lines[i]
		var name strings.Builder
		name.WriteString(line.Variant)
		for _, key := range slices.Sorted(maps.Keys(line.Keys)) {
			name.WriteString("\x00" + key + "\x00" + line.Keys[key])
		}
		c := of[name.String()]
		if c == nil {
			c = &combination{keys: line.Keys, variant: line.Variant}
			of[name.String()] = c
			all = append(all, c)
		}
		c.lines = append(c.lines, line)
	}
	return all
}

// distinct are the texts of combinations, each once, in their order.
func distinct(all []*combination, of func(*combination) string) (list []string) {
	seen := map[string]bool{}
	for _, c := range all {
		if text := of(c); !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	return list
}

// rangeOf returns the range of a metric over the runs of combinations; NaN if it has no value.
func rangeOf(metric string, of ...*combination) picture.Range {
	var values []float64
	for _, c := range of {
		for _, line := range c.lines {
			if v, err := line.Metrics[metric].Float64(); err == nil {
				values = append(values, v)
			}
		}
	}
	if len(values) == 0 {
		return picture.Range{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	return picture.Range{Median: compare.Median(values), Low: slices.Min(values), High: slices.Max(values)}
}

// that returns the combinations that something is true of.
func that(all []*combination, is func(*combination) bool) (list []*combination) {
	for _, c := range all {
		if is(c) {
			list = append(list, c)
		}
	}
	return list
}

func varied(keys []string, all []*combination) (list []string) {
	for _, key := range keys {
		if len(distinct(all, func(c *combination) string { return c.keys[key] })) > 1 {
			list = append(list, key)
		}
	}
	return list
}

// variantName returns a variant's name in pictures.
func variantName(variant string) string {
	if variant == "" {
		return "all runs"
	}
	return variant
}

// byKey draws each key against each metric.
func byKey(keys, variants []string, all []*combination, metrics []result.Metric) (drawings []*picture.Picture) {
	for _, key := range varied(keys, all) {
		places := placesOf(distinct(all, func(c *combination) string { return c.keys[key] }))
		if places == nil {
			continue
		}
		for _, m := range metrics {
			drawn := picture.Swept{Key: key, Metric: m.Name, Places: labels(places)}
			for hue, variant := range variants {
				line := picture.SweptLine{Key: picture.Key{Name: variantName(variant), Hue: hue}}
				for _, place := range places {
					line.Ranges = append(line.Ranges, rangeOf(m.Name, that(all, func(c *combination) bool {
						return c.variant == variant && place.values[c.keys[key]]
					})...))
				}
				drawn.Lines = append(drawn.Lines, line)
			}
			drawings = append(drawings, drawn.Draw())
		}
	}
	return drawings
}

// inTwo draws the first two keys that vary as a matrix of each metric, for each variant.
func inTwo(keys, variants []string, all []*combination, metrics []result.Metric) (drawings []*picture.Picture) {
	two := varied(keys, all)
	if len(two) < 2 {
		return drawings
	}
	down, across := two[0], two[1]
	rows := placesOf(distinct(all, func(c *combination) string { return c.keys[down] }))
	columns := placesOf(distinct(all, func(c *combination) string { return c.keys[across] }))
	if rows == nil || columns == nil {
		return drawings
	}
	for _, m := range metrics {
		for _, variant := range variants {
			drawn := picture.Matrix{
				Title:   m.Name + " of " + variantName(variant) + ": median",
				Across:  across,
				Down:    down,
				Columns: labels(columns),
				Rows:    labels(rows),
			}
			for _, row := range rows {
				var cells []float64
				for _, column := range columns {
					cells = append(cells, rangeOf(m.Name, that(all, func(c *combination) bool {
						return c.variant == variant && row.values[c.keys[down]] && column.values[c.keys[across]]
					})...).Median)
				}
				drawn.Cells = append(drawn.Cells, cells)
			}
			drawings = append(drawings, drawn.Draw())
		}
	}
	return drawings
}

// asFront draws the first two metrics against each other.
func asFront(variants []string, all []*combination, metrics []result.Metric) (drawings []*picture.Picture) {
	if len(metrics) < 2 || len(all) < 2 {
		return drawings
	}
	x, y := metrics[0], metrics[1]
	drawn := picture.Front{X: x.Name, Y: y.Name, HighX: x.Better == result.Higher, HighY: y.Better == result.Higher}
	for _, c := range all {
		run := Run{Keys: c.keys, Variant: c.variant}
		drawn.Points = append(drawn.Points, picture.FrontPoint{
			Key:   picture.Key{Name: variantName(c.variant), Hue: slices.Index(variants, c.variant)},
			Label: run.combination(),
			X:     rangeOf(x.Name, c).Median,
			Y:     rangeOf(y.Name, c).Median,
		})
	}
	drawings = append(drawings, drawn.Draw())
	return drawings
}
