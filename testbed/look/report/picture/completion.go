package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Completion is the distribution of the slowdowns of flows, or of their completion times: the share of the
// flows that completed within a value.
type Completion struct {
	Lines []Slowdowns
	// Of names the values, with their unit; "" for slowdown.
	Of string
}

// Slowdowns are the slowdowns of a variant's flows.
type Slowdowns struct {
	Key
	// Values are the slowdowns of the flows that completed, in any order.
	Values []float64
	// Flows is the number of flows, including incomplete ones: the curve then ends below 1.
	Flows int
}

// Draw makes the picture.
func (d Completion) Draw() *Picture {
	of := cmp.Or(d.Of, "slowdown")
	title := "Share of flows by " + of
	least, most := math.Inf(1), math.Inf(-1)
	var keys []Key
	lines := slices.Clone(d.Lines)
	for i := range lines {
		lines[i].Values = positive(lines[i].Values)
		if n := len(lines[i].Values); n > 0 {
			least, most = min(least, lines[i].Values[0]), max(most, lines[i].Values[n-1])
			keys = append(keys, lines[i].Key)
		}
	}
	if len(keys) == 0 {
		return empty(title, "No flow completed that has a "+strings.TrimSuffix(of, ", us")+".")
	}
	least, most = logRange(least, most)
	top := legendHeight(keys, smallWidth-60) + 30
	f := frame{left: 44, top: top, right: smallWidth - 14, bottom: top + 230}
	f.x = scale{least, most, f.left, f.right, true}
	f.y = scale{0, 1, f.bottom, f.top, false}
	c := newCanvas(smallWidth, f.bottom+42, title, describe(of, lines))
	c.legend(keys, f.left, 2, f.right-f.left)
	c.axes(f, ticksOf(decades(least, most), plain), ticksOf(steps(0, 1, 5), plain),
		of+" (dots: median, 99th percentile)", "share of flows")
	for _, l := range lines {
		if len(l.Values) == 0 {
			continue
		}
		c.open(` class="` + hueClass(l.Hue) + `"`)
		c.draw("line"+dashClass(l.Hue), l.curve(f))
		for _, percent := range []int{50, 99} {
			value, share := l.quantile(percent)
			c.marker("mark", l.Hue, f.x.at(value), f.y.at(share), 4.5)
		}
		c.end()
	}
	return c.done()
}

// positive are the values that a log scale has, sorted.
func positive(values []float64) (list []float64) {
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

// logRange widens a range a little, so that nothing is on the edge, and more if it is too narrow
// to be seen.
func logRange(least, most float64) (float64, float64) {
	room := math.Pow(most/least, 0.02)
	if most/least < 1.2 {
		room = 1.1
	}
	return least / room, most * room
}

// quantile returns the value that the given percentage of the completed flows do not exceed, and the share of all flows
// that this is: the definition of slowdown_p99 in summary.json.
func (s Slowdowns) quantile(percent int) (value, share float64) {
	rank := result.Rank(len(s.Values), percent)
	return s.Values[rank-1], float64(rank) / s.all()
}

func (s Slowdowns) all() float64 { return float64(max(s.Flows, len(s.Values))) }

// curve is a step at each value, except for invisible ones: below half a pixel.
func (s Slowdowns) curve(f frame) *path {
	p := &path{}
	x, y := f.x.at(s.Values[0]), f.y.at(0)
	p.move(x, y)
	for i, value := range s.Values {
		nextX, nextY := f.x.at(value), f.y.at(float64(i+1)/s.all())
		last := i == len(s.Values)-1
		if !last && nextX-x < 0.5 && y-nextY < 0.5 {
			continue
		}
		if pixels(nextX) != pixels(x) {
			p.across(nextX)
		}
		p.vertical(nextY)
		x, y = nextX, nextY
	}
	if x < f.x.end {
		p.across(f.x.end)
	}
	return p
}

func describe(of string, lines []Slowdowns) string {
	text := "A step a flow, " + of + " on a logarithmic axis."
	for _, l := range lines {
		if len(l.Values) == 0 {
			text += fmt.Sprintf(" %s: none of %d flows.", l.Name, l.Flows)
			continue
		}
		median, _ := l.quantile(50)
		p99, _ := l.quantile(99)
		text += fmt.Sprintf(" %s: %d of %d flows, median %s, 99th percentile %s.", l.Name, len(l.Values),
			unit.Whole[int](l.all()), plain(median), plain(p99))
	}
	return text
}
