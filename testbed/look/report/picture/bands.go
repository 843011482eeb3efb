package picture

import (
	"fmt"
	"math"
	"strings"
)

// Bands is figures against bands that they are to be in: a row each, on one axis of ratios.
type Bands struct {
	// Title is the subject; Of is the base of the ratios, such as "hardware".
	Title, Of string
	Rows      []Band
}

// Band is a figure: its ratio, the band around 1, and what it came to.
type Band struct {
	Name string
	// Ratio is NaN if there is no value. High is +Inf for a band without an end.
	Ratio, Low, High float64
	// Key is the meaning of the mark, such as "in"; rows with one name share a hue.
	Key
}

// leastRatio and mostRatio are the ends of the axis: what lies beyond is an arrow there.
const (
	leastRatio = 1.0 / 64
	mostRatio  = 64.0
)

// Draw makes the picture.
func (d Bands) Draw() *Picture {
	least, most := 0.98, 1.02
	var keys []Key
	var names []string
	known := map[Key]bool{}
	for _, row := range d.Rows {
		names = append(names, row.Name)
		for _, v := range []float64{row.Ratio, row.Low, row.High} {
			if v > 0 && !math.IsInf(v, 0) {
				least, most = min(least, v), max(most, v)
			}
		}
		if !known[row.Key] {
			known[row.Key] = true
			keys = append(keys, row.Key)
		}
	}
	if len(d.Rows) == 0 {
		return empty(d.Title, "There is no figure.")
	}
	least, most = max(leastRatio, least/1.02), min(mostRatio, most*1.02)
	const lane = 20
	left := min(widest(names), 230) + 14
	f := frame{left: left, top: legendHeight(keys, smallWidth-20) + 12, right: smallWidth - 16}
	f.bottom = f.top + lane*float64(len(d.Rows))
	f.x = scale{least, most, f.left, f.right, true}
	c := newCanvas(smallWidth, f.bottom+44, d.Title, d.describe())
	c.legend(keys, 6, 2, smallWidth-20)
	ticks := steps(least, most, 5)
	if most/least > 4 {
		ticks = decades(least, most)
	}
	c.across(f, ticksOf(ticks, plain))
	c.line("one", f.x.at(1), f.top, f.x.at(1), f.bottom)
	for i, row := range d.Rows {
		c.band(f, row, f.top+lane*(float64(i)+0.5), fit(names[i], left-14))
	}
	c.line("axis", 6, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, f.bottom+34, atMiddle, "soft", fit("ratio to "+d.Of+"; bar: the band", f.right-f.left))
	return c.done()
}

// band draws one row: a bar for the band, and a mark, or an arrow at the end of the axis for a value beyond it.
func (c *canvas) band(f frame, row Band, y float64, name string) {
	c.text(6, y+4, atStart, "", name)
	c.open(` class="heat heat-2"`)
	from := f.x.at(row.Low)
	c.rect("", from, y-6, max(f.x.at(row.High)-from, 2), 12, "")
	c.end()
	c.open(` class="` + hueClass(row.Hue) + `"`)
	defer c.end()
	switch at := f.x.at(row.Ratio); {
	case math.IsNaN(row.Ratio):
	case row.Ratio >= f.x.from && row.Ratio <= f.x.to:
		c.marker("mark", row.Hue, at, y, 4.5)
	default:
		side := 8.0
		if row.Ratio > f.x.to {
			side = -8
		}
		var p path
		p.move(at+side, y-5)
		p.to(at, y)
		p.to(at+side, y+5)
		p.close()
		c.draw("mark", &p)
	}
}

func (d Bands) describe() string {
	var text strings.Builder
	fmt.Fprintf(&text, "A row a figure: its ratio to %s, and the band that it is to be in.", d.Of)
	for _, row := range d.Rows {
		ratio := plain(row.Ratio)
		if math.IsNaN(row.Ratio) {
			ratio = "nothing"
		}
		fmt.Fprintf(&text, " %s: %s, %s.", row.Name, ratio, row.Key.Name)
	}
	return text.String()
}
