package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Swept is a metric against the values of one key of a sweep.
type Swept struct {
	// Key is the path of the key, Metric the name of the metric; Places are the key's values in
	// the order of the sweep.
	Key, Metric string
	Places      []string
	Lines       []SweptLine
	// Apart is set if the places are not values of one key: marks are not joined.
	Apart bool
}

// SweptLine is a variant: at each place a range, with NaN for none.
type SweptLine struct {
	Key
	Ranges []Range
}

// Range is the median, the least and the most of several values.
type Range struct{ Median, Low, High float64 }

// known reports whether there is a range at all.
func (r Range) known() bool {
	return !math.IsNaN(r.Median+r.Low+r.High) && !math.IsInf(r.Median+r.Low+r.High, 0)
}

// Draw makes the picture.
func (s Swept) Draw() *Picture {
	title := s.Metric + " by " + s.Key
	least, most := 0.0, math.Inf(-1)
	var keys []Key
	for _, line := range s.Lines {
		keys = append(keys, line.Key)
		for _, r := range line.Ranges {
			if r.known() {
				least, most = min(least, r.Low), max(most, r.High)
			}
		}
	}
	if math.IsInf(most, -1) {
		return empty(title, "No run has a value of "+s.Metric+".")
	}
	if most == least {
		most = least + 1
	}
	top := legendHeight(keys, smallWidth-80) + 34
	f := frame{left: 66, top: top, right: smallWidth - 14, bottom: top + 210}
	f.x = scale{-0.5, float64(len(s.Places)) - 0.5, f.left, f.right, false}
	f.y = scale{least, most + 0.04*(most-least), f.bottom, f.top, false}
	c := newCanvas(smallWidth, f.bottom+42, title, s.describe())
	c.legend(keys, f.left, 2, f.right-f.left)
	var places []tick
	for i, place := range s.Places {
		places = append(places, tick{float64(i), fit(place, 90)})
	}
	c.axes(f, places, ticksOf(steps(least, most, 5), plain), s.Key+" (mark: median, bar: least to most)", s.Metric)
	for i, line := range s.Lines {
		c.open(` class="` + hueClass(line.Hue) + `"`)
		beside := (float64(i) - float64(len(s.Lines)-1)/2) * min(0.12, 0.6/float64(len(s.Lines)))
		var joined path
		for at, r := range line.Ranges {
			if !r.known() {
				continue
			}
			x := f.x.at(float64(at) + beside)
			c.line("line thin", x, f.y.at(r.Low), x, f.y.at(r.High))
			if joined.Len() == 0 {
				joined.move(x, f.y.at(r.Median))
			} else {
				joined.to(x, f.y.at(r.Median))
			}
		}
		if !s.Apart {
			c.draw("line"+dashClass(line.Hue), &joined)
		}
		for at, r := range line.Ranges {
			if r.known() {
				c.marker("mark", line.Hue, f.x.at(float64(at)+beside), f.y.at(r.Median), 4.5)
			}
		}
		c.end()
	}
	return c.done()
}

func (s Swept) describe() string {
	text := ""
	for _, line := range s.Lines {
		text += line.Name + ":"
		for at, r := range line.Ranges {
			if r.known() && at < len(s.Places) {
				text += fmt.Sprintf(" %s %s (%s to %s);", s.Places[at], plain(r.Median), plain(r.Low), plain(r.High))
			}
		}
		text += " "
	}
	return text
}

// Matrix is a metric over the values of two keys.
type Matrix struct {
	// Title names the metric and what it is of; Across and Down are the paths of the keys.
	Title, Across, Down string
	Columns, Rows       []string
	// Cells are the values by row and column, NaN for none.
	Cells [][]float64
}

// Draw makes the picture: the darker, the more.
func (m Matrix) Draw() *Picture {
	least, most := math.Inf(1), math.Inf(-1)
	for _, row := range m.Cells {
		for _, v := range row {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				least, most = min(least, v), max(most, v)
			}
		}
	}
	if most < least {
		return empty(m.Title, "No run has a value of it.")
	}
	const high = 26.0
	left, top := 96.0, 52.0
	wide := (smallWidth - left - 14) / float64(max(1, len(m.Columns)))
	bottom := top + high*float64(len(m.Rows))
	text := fmt.Sprintf("From %s to %s, the darker the more.", plain(least), plain(most))
	for i, row := range m.Cells {
		for j, v := range row {
			text += fmt.Sprintf(" %s, %s: %s;", m.Rows[i], m.Columns[j], shownValue(v))
		}
	}
	c := newCanvas(smallWidth, bottom+14, m.Title, text)
	c.text(left, 14, atStart, "soft", fit(m.Down+" down, "+m.Across+" across", smallWidth-left-14))
	free := 0.0
	for j, name := range m.Columns {
		x := left + (float64(j)+0.5)*wide
		label := fit(name, max(wide, 60))
		if half := textWidth(label) / 2; x-half >= free {
			c.text(x, top-8, atMiddle, "", label)
			free = x + half + 4
		}
	}
	for i, row := range m.Cells {
		y := top + high*float64(i)
		c.text(left-6, y+high/2+4, atEnd, "", fit(m.Rows[i], left-10))
		c.open(` class="hue-0"`)
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			share := 1.0
			if most > least {
				share = (v - least) / (most - least)
			}
			level := 1 + min(6, unit.Whole[int](share*7))
			hint := fmt.Sprintf("%s %s, %s %s: %s", m.Down, m.Rows[i], m.Across, m.Columns[j], plain(v))
			c.rect(fmt.Sprintf("heat heat-%d", level), left+float64(j)*wide, y, wide-1, high-1, hint)
		}
		c.end()
		for j, v := range row {
			if label := shownValue(v); textWidth(label) <= wide-4 {
				c.text(left+(float64(j)+0.5)*wide, y+high/2+4, atMiddle, "", label)
			}
		}
	}
	return c.done()
}

// shownValue writes a value of a cell.
func shownValue(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return fmt.Sprintf("%.4g", v)
}

// Front is two metrics of the combinations of a sweep against each other.
type Front struct {
	// X and Y are the names of the metrics; HighX and HighY say that more is better.
	X, Y         string
	HighX, HighY bool
	Points       []FrontPoint
}

// FrontPoint is a combination of a variant; Label names it.
type FrontPoint struct {
	Key
	Label string
	X, Y  float64
}

// Draw makes the picture: combinations that none other beats in both metrics are joined.
func (d Front) Draw() *Picture {
	title := d.Y + " against " + d.X
	var points []FrontPoint
	var keys []Key
	for _, p := range d.Points {
		if !math.IsNaN(p.X+p.Y) && !math.IsInf(p.X+p.Y, 0) {
			points = append(points, p)
			if !slices.Contains(keys, p.Key) {
				keys = append(keys, p.Key)
			}
		}
	}
	if len(points) == 0 {
		return empty(title, "No combination has values of both.")
	}
	low, high := points[0], points[0]
	for _, p := range points {
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	padX, padY := room(low.X, high.X), room(low.Y, high.Y)
	top := legendHeight(keys, smallWidth-80) + 34
	f := frame{left: 66, top: top, right: smallWidth - 14, bottom: top + 230}
	f.x = scale{low.X - padX, high.X + padX, f.left, f.right, false}
	f.y = scale{low.Y - padY, high.Y + padY, f.bottom, f.top, false}
	front := d.front(points)
	text := fmt.Sprintf("%d combinations, %d of them on the front:", len(points), len(front))
	for _, p := range front {
		text += fmt.Sprintf(" %s (%s, %s);", p.Label, plain(p.X), plain(p.Y))
	}
	c := newCanvas(smallWidth, f.bottom+42, title, text)
	c.legend(keys, f.left, 2, f.right-f.left)
	c.axes(f, ticksOf(steps(f.x.from, f.x.to, 5), plain), ticksOf(steps(f.y.from, f.y.to, 5), plain),
		d.X+" (dashed: none is better in both)", d.Y)
	var joined path
	for i, p := range front {
		if i == 0 {
			joined.move(f.x.at(p.X), f.y.at(p.Y))
		} else {
			joined.to(f.x.at(p.X), f.y.at(p.Y))
		}
	}
	c.draw("one", &joined)
	for _, p := range points {
		c.open(` class="` + hueClass(p.Hue) + `"`)
		fmt.Fprintf(&c.out, "<title>%s</title>", escape(fmt.Sprintf("%s: %s, %s", p.Label, plain(p.X), plain(p.Y))))
		c.marker("mark", p.Hue, f.x.at(p.X), f.y.at(p.Y), 4.5)
		c.end()
	}
	return c.done()
}

// room is what is left free beside values.
func room(low, high float64) float64 {
	if high > low {
		return 0.05 * (high - low)
	}
	return max(1, math.Abs(low)*0.05)
}

// front are the points that no other beats, from the lowest X on.
func (d Front) front(points []FrontPoint) (front []FrontPoint) {
	beats := func(a, b FrontPoint) bool {
		x, y := a.X-b.X, a.Y-b.Y
		if d.HighX {
			x = -x
		}
		if d.HighY {
			y = -y
		}
		return x <= 0 && y <= 0 && (x < 0 || y < 0)
	}
	for _, p := range points {
		if !slices.ContainsFunc(points, func(other FrontPoint) bool { return beats(other, p) }) {
			front = append(front, p)
		}
	}
	slices.SortStableFunc(front, func(a, b FrontPoint) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	return front
}
