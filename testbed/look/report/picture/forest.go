package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/compare"
)

// Forest shows how variants differ from the first of them: a row a metric, a ratio of medians a variant, with its
// interval.
type Forest struct {
	// First is the variant that the others are held against.
	First string
	Rows  []ForestRow
}

// ForestRow is a metric.
type ForestRow struct {
	Metric string
	// Better is the better side: below 0 for the smaller values, above for the larger.
	Better int
	Ratios []Ratio
}

// Ratio is a variant's median over the first one's.
type Ratio struct {
	Key
	compare.Difference
}

// has reports whether the ratio has an interval.
func (r Ratio) has() bool { return !math.IsNaN(r.Interval.Low) }

// unsure reports whether the runs differ by no more than chance may.
func (r Ratio) unsure() bool { return r.has() && !r.Tells() }

// Draw makes the picture.
func (d Forest) Draw() *Picture {
	title := "Ratios to " + d.First
	least, most := 1.0, 1.0
	var keys []Key
	var names []string
	known := map[Key]bool{}
	count, sure := 0, false
	for _, row := range d.Rows {
		names = append(names, row.label())
		for _, r := range row.Ratios {
			for _, v := range []float64{r.Ratio, r.Interval.Low, r.Interval.High} {
				if v > 0 && !math.IsInf(v, 0) {
					least, most = min(least, v), max(most, v)
				}
			}
			if !known[r.Key] {
				known[r.Key] = true
				keys = append(keys, r.Key)
			}
			count++
			sure = sure || r.has()
		}
	}
	if count == 0 {
		return empty(title, "There is nothing to compare: no metric of two variants was measured.")
	}
	least, most = least/1.15, most*1.15
	const lane = 15
	top := legendHeight(keys, smallWidth-20) + 12
	if !sure {
		top += 16
	}
	left := min(widest(names), 190) + 14
	f := frame{left: left, top: top, right: smallWidth - 16}
	f.x = scale{least, most, f.left, f.right, true}
	height := 0.0
	for _, row := range d.Rows {
		height += lane*float64(len(row.Ratios)) + 8
	}
	f.bottom = f.top + height
	c := newCanvas(smallWidth, f.bottom+58, title, d.describe())
	c.legend(keys, 6, 2, smallWidth-20)
	if !sure {
		c.text(6, f.top-10, atStart, "soft", "one seed: no intervals")
	}
	c.across(f, ticksOf(decades(least, most), plain))
	c.line("one", f.x.at(1), f.top, f.x.at(1), f.bottom)
	y := f.top
	for i, row := range d.Rows {
		size := lane*float64(len(row.Ratios)) + 8
		c.line("grid", 6, y, f.right, y)
		c.text(6, y+size/2+4, atStart, "", fit(names[i], left-14))
		for k, r := range row.Ratios {
			c.ratio(f, r, y+4+lane*(float64(k)+0.5))
		}
		y += size
	}
	c.line("axis", 6, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, f.bottom+34, atMiddle, "soft", fit("ratio to "+d.First+", logarithmic", f.right-f.left))
	c.text(6, f.bottom+50, atStart, "soft", "\u2193 less is better, \u2191 more is better; grey: may be chance")
	return c.done()
}

// label is the metric with its better side.
func (r ForestRow) label() string {
	switch {
	case r.Better < 0:
		return r.Metric + " \u2193"
	case r.Better > 0:
		return r.Metric + " \u2191"
	}
	return r.Metric
}

// ratio draws an interval and its median. A ratio of 0 is an arrow at the edge.
func (c *canvas) ratio(f frame, r Ratio, y float64) {
	if math.IsNaN(r.Ratio) || math.IsInf(r.Ratio, 0) {
		return
	}
	class := hueClass(r.Hue)
	if r.unsure() {
		class = "unsure"
	}
	c.open(` class="` + class + `"`)
	defer c.end()
	if r.has() {
		from, to := f.x.at(r.Interval.Low), f.x.at(r.Interval.High)
		var p path
		p.move(from, y)
		p.across(to)
		for _, x := range []float64{from, to} {
			p.move(x, y-3)
			p.vertical(y + 3)
		}
		c.draw("line", &p)
	}
	if r.Ratio > 0 {
		c.marker("mark", r.Hue, f.x.at(r.Ratio), y, 4.5)
		return
	}
	var p path
	p.move(f.left+8, y-5)
	p.to(f.left, y)
	p.to(f.left+8, y+5)
	p.close()
	c.draw("mark", &p)
}

func (d Forest) describe() string {
	var text strings.Builder
	fmt.Fprintf(&text, "A row a metric: the median of a variant over the median of %s, on a logarithmic axis, with its "+
		"interval if there are several seeds; grey if it may be chance.", d.First)
	for _, row := range d.Rows {
		for _, r := range row.Ratios {
			if math.IsNaN(r.Ratio) {
				continue
			}
			ratio := strings.TrimSpace(compare.RatioText(r.Ratio) + " " + r.Interval.String())
			fmt.Fprintf(&text, " %s of %s: %s.", row.Metric, r.Name, ratio)
		}
	}
	return text.String()
}
