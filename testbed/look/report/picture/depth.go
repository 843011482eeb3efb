package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Depth is the length of one queue over time, a line a variant: in each bin the longest that
// it was.
type Depth struct {
	// Queue is its name.
	Queue  string
	Lines  []Depths
	Levels []Level
}

// Depths are a variant's bins.
type Depths struct {
	Key
	// First is the number of the first bin, Width a bin's microseconds.
	First int64
	Width float64
	// Bytes are the bins' values; a negative one is of a bin without a value.
	Bytes []float64
}

// Level is a length that means something, such as Kmin.
type Level struct {
	Name  string
	Bytes float64
}

// Draw makes the picture.
func (d Depth) Draw() *Picture {
	title := "Length of " + d.Queue
	end, most := 0.0, 0.0
	var keys []Key
	text := "A line a variant, in each bin of model time the longest that the queue was."
	for _, l := range d.Lines {
		longest := 0.0
		for _, bytes := range l.Bytes {
			longest = math.Max(longest, bytes)
		}
		end = math.Max(end, l.Width*float64(l.First+int64(len(l.Bytes))))
		most = math.Max(most, longest)
		keys = append(keys, l.Key)
		text += fmt.Sprintf(" %s: at most %s.", l.Name, Prefixed(longest, "B"))
	}
	if most == 0 {
		return empty(title, "The queue was empty all the time.")
	}
	unit, word := timeUnit(end)
	top := legendHeight(keys, wideWidth-80) + 30
	f := frame{left: 64, top: top, right: wideWidth - 14, bottom: top + 220}
	f.x = scale{0, end / unit, f.left, f.right, false}
	f.y = scale{0, most, f.bottom, f.top, false}
	c := newCanvas(wideWidth, f.bottom+42, title, text)
	c.legend(keys, f.left, 2, f.right-f.left)
	bytes := func(v float64) string { return Prefixed(v, "B") }
	c.axes(f, ticksOf(steps(0, end/unit, 8), plain), ticksOf(steps(0, most, 5), bytes), "model time, "+word, d.Queue)
	c.levels(f, d.Levels, most)
	for _, l := range d.Lines {
		c.open(` class="` + hueClass(l.Hue) + `"`)
		c.draw("line"+dashClass(l.Hue), l.curve(f, unit))
		c.end()
	}
	return c.done()
}

// levelRoom is the minimum distance of two names of levels.
const levelRoom = 15

// levels draws the levels that are low enough, each with its name above it at the right; a name that would lie over
// another one is one text with it, above the higher line.
func (c *canvas) levels(f frame, levels []Level, most float64) {
	type label struct {
		text string
		y    float64
	}
	var labels []label
	sorted := slices.SortedStableFunc(slices.Values(levels), func(a, b Level) int { return cmp.Compare(a.Bytes, b.Bytes) })
	for _, l := range sorted {
		if l.Bytes <= 0 || l.Bytes > most {
			continue
		}
		y, text := f.y.at(l.Bytes), l.Name+" "+Prefixed(l.Bytes, "B")
		c.line("one", f.left, y, f.right, y)
		if last := len(labels) - 1; last >= 0 && labels[last].y-y < levelRoom {
			labels[last].text, labels[last].y = labels[last].text+", "+text, y
			continue
		}
		labels = append(labels, label{text, y})
	}
	for _, l := range labels {
		c.text(f.right, l.y-4, atEnd, "soft", fit(l.text, f.right-f.left))
	}
}

// curve is a step a bin. A bin without a value interrupts the line.
func (l Depths) curve(f frame, unit float64) *path {
	p := &path{}
	drawn := false
	for i, bytes := range l.Bytes {
		if bytes < 0 {
			drawn = false
			continue
		}
		from := f.x.at(l.Width * float64(l.First+int64(i)) / unit)
		to := f.x.at(l.Width * float64(l.First+int64(i)+1) / unit)
		if drawn {
			p.vertical(f.y.at(bytes))
		} else {
			p.move(from, f.y.at(bytes))
		}
		p.across(to)
		drawn = true
	}
	return p
}
