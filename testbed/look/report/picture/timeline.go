package picture

import (
	"fmt"
	"math"
	"strings"
)

// Timeline is a collective: what each rank did when, iteration by iteration.
type Timeline struct {
	Key
	// Collective is its name and what it does.
	Collective string
	Ranks      []Rank
	Iterations []Iteration
	// From and To are ends of the axis of time, so that pictures can share one; both are 0 for this picture's own.
	// Unit: microseconds.
	From, To float64
}

// Ends are the first and the last time of a rank, infinite if there is none.
func (d Timeline) Ends() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, r := range d.Ranks {
		for _, s := range r.Spans {
			for _, v := range []float64{s.Begun, s.Ready, s.Done} {
				if !math.IsNaN(v) {
					least, most = min(least, v), max(most, v)
				}
			}
		}
	}
	return least, most
}

// Rank is one rank: its host and its iterations in order.
type Rank struct {
	Host  string
	Spans []Span
}

// Span is an iteration of a rank: it computes from Begun on, takes part in the operation from
// Ready on and is done at Done, in microseconds; NaN for what did not happen.
type Span struct{ Begun, Ready, Done float64 }

// Iteration is an iteration of all ranks together.
type Iteration struct {
	// Done is the time at which the last rank was done, Slowest the host of that rank; NaN and "" if one was not.
	Done    float64
	Slowest string
	// BusBW is the bus bandwidth as the file has it, in gigabytes a second.
	BusBW string
}

// ranksShown is the maximum number of ranks with a row.
const ranksShown = 32

// Draw makes the picture.
func (d Timeline) Draw() *Picture {
	title := d.Collective + ": " + d.Name
	least, most := d.Ends()
	var names []string
	for _, r := range d.Ranks {
		names = append(names, r.Host)
	}
	if !(most > least) {
		return empty(title, "No rank of the collective has begun.")
	}
	if d.To > d.From {
		least, most = min(least, d.From), max(most, d.To)
	}
	ranks, omitted := d.shown()
	const row, top = 15.0, 52.0
	left := math.Min(widest(names), 150) + 20
	f := frame{left: left, top: top, right: wideWidth - 16, bottom: top + row*float64(len(ranks))}
	unit, word := timeUnit(most - least)
	f.x = scale{least / unit, most / unit, f.left, f.right, false}
	c := newCanvas(wideWidth, f.bottom+58, title, d.describe())
	c.timelineLegend(d.Hue)
	c.across(f, ticksOf(steps(least/unit, most/unit, 8), plain))
	c.open(` class="` + hueClass(d.Hue) + `"`)
	x := func(us float64) float64 { return f.x.at(us / unit) }
	for i, r := range ranks {
		y := f.top + row*float64(i)
		for k, s := range r.Spans {
			c.span(s, x, y, row, f.right)
			last := k < len(d.Iterations) && d.Iterations[k].Slowest == r.Host
			if last && !math.IsNaN(s.Ready) && !math.IsNaN(s.Done) {
				c.rect("straggler", x(s.Ready), y+1, math.Max(x(s.Done)-x(s.Ready), 1), row-2,
					fmt.Sprintf("%s was the last of iteration %d", r.Host, k))
			}
		}
	}
	c.end()
	for i, r := range ranks {
		c.text(6, f.top+row*float64(i)+11, atStart, "", fit(r.Host, left-20))
	}
	free := f.left
	for _, it := range d.Iterations {
		if math.IsNaN(it.Done) {
			continue
		}
		at := x(it.Done)
		c.line("one", at, f.top-4, at, f.bottom)
		text := it.BusBW + " GB/s"
		if it.BusBW != "" && at-textWidth(text) >= free {
			c.text(at, f.top-8, atEnd, "", text)
			free = at + 8
		}
	}
	c.line("axis", f.left, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, f.bottom+34, atMiddle, "soft", "model time in "+word)
	if omitted > 0 {
		c.text(6, f.bottom+50, atStart, "soft",
			fmt.Sprintf("%d more ranks are in ranks.csv", omitted))
	}
	return c.done()
}

// shown returns the ranks that have a row: if there are too many, the last ones to be done, and the first others.
func (d Timeline) shown() (list []Rank, omitted int) {
	if len(d.Ranks) <= ranksShown {
		return d.Ranks, 0
	}
	last := map[string]bool{}
	for _, it := range d.Iterations {
		if len(last) < ranksShown && it.Slowest != "" {
			last[it.Slowest] = true
		}
	}
	others := ranksShown - len(last)
	for _, r := range d.Ranks {
		if !last[r.Host] {
			if others == 0 {
				continue
			}
			others--
		}
		list = append(list, r)
	}
	list = list[:min(len(list), ranksShown)]
	return list, len(d.Ranks) - len(list)
}

// span draws an iteration of a rank: what it computed pale, the operation full. One that did
// not end goes on to the end of the picture, hollow.
func (c *canvas) span(s Span, x func(float64) float64, y, row, right float64) {
	if math.IsNaN(s.Begun) {
		return
	}
	if math.IsNaN(s.Ready) {
		c.rect("unended", x(s.Begun), y+3, math.Max(right-x(s.Begun), 0.5), row-6, "")
		return
	}
	if s.Ready > s.Begun {
		c.rect("heat heat-3", x(s.Begun), y+3, math.Max(x(s.Ready)-x(s.Begun), 0.5), row-6, "")
	}
	if math.IsNaN(s.Done) {
		c.rect("unended", x(s.Ready), y+3, math.Max(right-x(s.Ready), 0.5), row-6, "")
		return
	}
	c.rect("heat heat-6 span", x(s.Ready), y+3, math.Max(x(s.Done)-x(s.Ready), 0.5), row-6, "")
}

// timelineLegend explains the bars.
func (c *canvas) timelineLegend(hue int) {
	left := 6.0
	for _, key := range []struct{ class, text string }{
		{"heat heat-3", "computes"}, {"heat heat-6 span", "takes part"}, {"unended", "was not done"},
		{"straggler", "last of the iteration"},
	} {
		c.open(` class="` + hueClass(hue) + `"`)
		c.rect(key.class, left, 8, 22, 10, "")
		c.end()
		left = c.text(left+28, 17, atStart, "soft", key.text).right + 24
	}
	c.text(left, 17, atStart, "soft", "above: bus bandwidth")
}

func (d Timeline) describe() string {
	var text strings.Builder
	fmt.Fprintf(&text, "A row a rank, %d in all; a bar an iteration, outlined that of the rank that was last.",
		len(d.Ranks))
	for i, it := range d.Iterations {
		if i == 12 {
			fmt.Fprintf(&text, " And %d iterations more.", len(d.Iterations)-i)
			break
		}
		if math.IsNaN(it.Done) {
			fmt.Fprintf(&text, " Iteration %d was not done.", i)
			continue
		}
		fmt.Fprintf(&text, " Iteration %d was done at %s us, %s last, %s GB/s.", i, plain(it.Done), it.Slowest, it.BusBW)
	}
	return text.String()
}
