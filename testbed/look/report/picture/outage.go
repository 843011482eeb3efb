package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Outage is a strip of an outage of a link: the goodput of the flows that stood still for it, and what the last of
// them waited for. Times are in microseconds; NaN for what did not happen.
type Outage struct {
	Key
	// Link is the link's name, Flow that of the flow that went on last, "" for none.
	Link, Flow string
	// Marks are instants, among them the beginning of the outage.
	Marks []OutageMark
	// Bands are the waits of that flow, one after the other.
	Bands []OutageBand
	// Rates are the goodput of all these flows, in Gb/s, in bins of a width from First on; none if it was not recorded.
	First, Width float64
	Rates        []float64
}

// OutageMark is an instant with its word.
type OutageMark struct {
	At   float64
	Text string
}

// OutageBand is a stretch of time with its class, a word for the legend and a text for who points at it.
type OutageBand struct {
	From, To          float64
	Class, Text, Hint string
}

// ends returns the ends of the axis of time: a fifth of the events' span is left on both sides.
func (d Outage) ends() (from, to float64) {
	from, to = d.Marks[0].At, d.Marks[0].At
	for _, m := range d.Marks {
		to = math.Max(to, m.At)
	}
	for _, b := range d.Bands {
		to = math.Max(to, b.To)
	}
	room := (to - from) / 5
	return math.Max(0, from-room), to + room
}

// Draw makes the picture.
func (d Outage) Draw() *Picture {
	title := fmt.Sprintf("Outage of %s: %s", d.Link, d.Name)
	var marks []OutageMark
	for _, m := range d.Marks {
		if !math.IsNaN(m.At) {
			marks = append(marks, m)
		}
	}
	slices.SortStableFunc(marks, func(a, b OutageMark) int { return cmp.Compare(a.At, b.At) })
	d.Marks = marks
	if len(marks) == 0 {
		return empty(title, "The link did not go down.")
	}
	from, to := d.ends()
	if !(to > from) {
		return empty(title, "The link did not go down.")
	}
	const plot, band = 96.0, 16.0
	f := frame{left: 56, top: 34 + 14*float64(len(marks)), right: wideWidth - 16}
	f.bottom = f.top + plot
	unit, word := timeUnit(to - from)
	f.x = scale{from / unit, to / unit, f.left, f.right, false}
	most := 0.0
	for i, rate := range d.Rates {
		if at := d.First + float64(i)*d.Width; at+d.Width >= from && at <= to && !math.IsNaN(rate) {
			most = math.Max(most, rate)
		}
	}
	if most == 0 {
		most = 1
	}
	f.y = scale{0, most * 1.08, f.bottom, f.top, false}
	c := newCanvas(wideWidth, f.bottom+band+62, title, d.describe())
	x := func(us float64) float64 { return math.Min(math.Max(f.x.at(us/unit), f.left), f.right) }
	c.bandLegend(d.Bands)
	under := f
	under.bottom = f.bottom + band + 6
	c.across(under, ticksOf(steps(from/unit, to/unit, 8), plain))
	for _, at := range steps(0, most, 3) {
		y := f.y.at(at)
		c.line("grid", f.left, y, f.right, y)
		c.text(f.left-6, y+4, atEnd, "", plain(at))
	}
	c.text(6, f.top-8, atStart, "soft", "Gb/s")
	c.open(` class="` + hueClass(d.Hue) + `"`)
	var line path
	for i, rate := range d.Rates {
		at := d.First + float64(i)*d.Width
		if at+d.Width < from || at > to {
			continue
		}
		if math.IsNaN(rate) {
			rate = 0
		}
		if y := f.y.at(rate); line.Len() == 0 {
			line.move(x(at), y)
		} else {
			line.vertical(y)
		}
		line.across(x(at + d.Width))
	}
	c.draw("line", &line)
	c.end()
	for _, b := range d.Bands {
		if b.To > b.From {
			c.rect("outage "+b.Class, x(b.From), f.bottom+4, math.Max(x(b.To)-x(b.From), 1), band, b.Hint)
		}
	}
	for i, m := range marks {
		y := 34 + 14*float64(i)
		c.line("one", x(m.At), y+4, x(m.At), f.bottom+band+6)
		anchor, at := atStart, x(m.At)+4
		if at+textWidth(m.Text) > f.right {
			anchor, at = atEnd, x(m.At)-4
		}
		c.text(at, y+6, anchor, "soft", m.Text)
	}
	c.line("axis", f.left, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, under.bottom+34, atMiddle, "soft", "model time in "+word)
	return c.done()
}

// bandLegend explains the bands.
func (c *canvas) bandLegend(bands []OutageBand) {
	left := 6.0
	for _, b := range bands {
		if b.To > b.From {
			c.rect("outage "+b.Class, left, 8, 22, 10, "")
			left = c.text(left+28, 17, atStart, "soft", b.Text).right + 24
		}
	}
}

func (d Outage) describe() string {
	var text strings.Builder
	for _, m := range d.Marks {
		fmt.Fprintf(&text, "%s at %s us. ", m.Text, plain(m.At))
	}
	if d.Flow != "" {
		fmt.Fprintf(&text, "%s went on last:", d.Flow)
		for _, b := range d.Bands {
			if b.To > b.From {
				fmt.Fprintf(&text, " %s us %s.", plain(b.To-b.From), b.Text)
			}
		}
	}
	return strings.TrimSpace(text.String())
}
