package main

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// axis is a figure of a set, by its column.
type axis struct {
	title, column string
	// bound is the case's demand, and low to high the drawn range: points beyond lie on the edge.
	bound, low, high float64
	// more is set if more is better.
	more bool
}

// panel is two figures against each other.
type panel struct {
	title string
	x, y  axis
}

var panels = []panel{
	{
		title: "Equal shares cost waiting",
		x: axis{
			title:  "16 flows: mean RTT, us",
			column: "rtt_16_us",
			bound:  5.493,
			low:    4.6,
			high:   6.4,
		},
		y: axis{
			title:  "clocks off by 100 ns: slowdown / n",
			column: "clocks_slowdown",
			bound:  0.97,
			low:    0.7,
			high:   1.01,
			more:   true,
		},
	},
	{
		title: "Few flows and many",
		x: axis{
			title:  "5000 flows: utilisation",
			column: "utilisation_5000",
			bound:  0.95,
			low:    0.6,
			high:   1.005,
			more:   true,
		},
		y: axis{
			title:  "near and far flow: Jain",
			column: "jain_paths",
			bound:  0.95,
			low:    0.5,
			high:   1.01,
			more:   true,
		},
	},
}

// series are sets that are drawn alike, one search.
type series struct {
	title string
	sets  []scored
}

// seriesOf sorts sets by their search, in the order in which these come.
func seriesOf(scores []scored) []series {
	var all []series
	for _, s := range scores {
		at := slices.IndexFunc(all, func(one series) bool { return one.title == s.search })
		if at < 0 {
			at, all = len(all), append(all, series{title: s.search})
		}
		all[at].sets = append(all[at].sets, s)
	}
	return all
}

// named reports whether the sets belong to parameter set, and are labelled.
func (s *series) named() bool {
	return !slices.ContainsFunc(s.sets, func(one scored) bool { return !strings.HasPrefix(one.set, "set=") })
}

// worth orders figures: more is better.
func (a *axis) worth(v float64) float64 {
	if a.more {
		return v
	}
	return -v
}

type point struct {
	x, y  float64
	label string
}

// pointsOf returns the sets of a series that have both figures.
func (p *panel) pointsOf(s series) []point {
	var points []point
	for _, set := range s.sets {
		x, okX := set.figures[p.x.column]
		y, okY := set.figures[p.y.column]
		if okX && okY {
			points = append(points, point{x, y, strings.TrimPrefix(set.set, "set=")})
		}
	}
	return points
}

// front returns the points that none other beats in both figures, from left to right.
func (p *panel) front(points []point) []point {
	var front []point
	for _, a := range points {
		if !slices.ContainsFunc(points, func(b point) bool {
			return p.x.worth(b.x) >= p.x.worth(a.x) && p.y.worth(b.y) >= p.y.worth(a.y) && (a.x != b.x || a.y != b.y)
		}) {
			front = append(front, a)
		}
	}
	slices.SortFunc(front, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	return front
}

const (
	width, height = 900, 430
	plotW, plotH  = 340.0, 270.0
	plotX, plotY  = 80.0, 60.0
	panelW        = 440.0
)

// frontStyle has the colours of Okabe and Ito, for a light page and for a dark one.
const frontStyle = `
text { font: 13px system-ui, "Segoe UI", Roboto, Arial, sans-serif; fill: #1f2328 }
.soft { fill: #59636e }
.paper { fill: #ffffff; stroke: #d1d9e0 }
.rule { stroke: #818b98; fill: none }
.dashed { stroke-dasharray: 5 4 }
.a { fill: #56b4e9; stroke: #56b4e9 }
.b { fill: #009e73; stroke: #009e73 }
.c { fill: #e69f00; stroke: #e69f00 }
.d { fill: #d55e00; stroke: #d55e00 }
polyline { fill: none !important; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .soft { fill: #9da7b3 }
  .paper { fill: #0d1117; stroke: #3d444d }
}
`

// classes are the styles of the series, in their order.
var classes = []string{"a", "b", "c", "d"}

// at returns the place of a value between the ends of an axis, 0 to 1.
func (a *axis) at(v float64) float64 { return (min(max(v, a.low), a.high) - a.low) / (a.high - a.low) }

// writeFront draws the panels beside each other.
func writeFront(to io.Writer, scores []scored) error {
	all := seriesOf(scores)
	var body strings.Builder
	for i := range panels {
		panels[i].draw(&body, plotX+panelW*float64(i), all)
	}
	x := plotX
	for i, s := range all {
		fmt.Fprintf(&body, "<circle class=%q cx=\"%g\" cy=\"%d\" r=\"4\"/>\n", classes[i%len(classes)], x, height-22)
		fmt.Fprintf(&body, "<text x=\"%g\" y=\"%d\">%s</text>\n", x+10, height-18, html.EscapeString(s.title))
		x += 30 + 7*float64(len(s.title))
	}
	_, err := fmt.Fprintf(to, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"
width="%d" height="%d" role="img">
<title>Trade-offs in PC4's constants</title>
<desc>Each small dot is a set of constants that was drawn, each large one a set with a name. Dashed are
the bounds that experiments ask for; the lines join the sets that none of their kind beats.</desc>
<style>%s</style>
<rect class="paper" x=".5" y=".5" width="%d" height="%d" rx="8"/>
%s</svg>
`, width, height, width, height, frontStyle, width-1, height-1, body.String())
	return err
}

func (p *panel) draw(to *strings.Builder, left float64, all []series) {
	x := func(v float64) float64 { return math.Round(left + plotW*p.x.at(v)) }
	y := func(v float64) float64 { return math.Round(plotY + plotH*(1-p.y.at(v))) }
	text := func(x, y float64, class, anchor, words string) {
		fmt.Fprintf(to, "<text class=%q x=\"%g\" y=\"%g\" text-anchor=%q>%s</text>\n", class, x, y, anchor,
			html.EscapeString(words))
	}
	rule := func(class string, x1, y1, x2, y2 float64) {
		fmt.Fprintf(to, "<line class=\"rule %s\" x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\"/>\n", class, x1, y1, x2, y2)
	}
	bottom := plotY + plotH
	text(left, plotY-18, "", "start", p.title)
	rule("", left, bottom, left+plotW, bottom)
	rule("", left, plotY, left, bottom)
	rule("dashed", x(p.x.bound), plotY, x(p.x.bound), bottom)
	rule("dashed", left, y(p.y.bound), left+plotW, y(p.y.bound))
	for i := range 5 {
		share := float64(i) / 4
		h, v := p.x.low+share*(p.x.high-p.x.low), p.y.low+share*(p.y.high-p.y.low)
		text(x(h), bottom+18, "soft", "middle", strconv.FormatFloat(h, 'f', 2, 64))
		text(left-8, y(v)+4, "soft", "end", strconv.FormatFloat(v, 'f', 2, 64))
	}
	text(left+plotW/2, bottom+38, "soft", "middle", p.x.title)
	fmt.Fprintf(to, "<text class=\"soft\" text-anchor=\"middle\" transform=\"translate(%g %g) rotate(-90)\">%s</text>\n",
		left-48, plotY+plotH/2, html.EscapeString(p.y.title))
	for i, s := range all {
		class, radius := classes[i%len(classes)], 2.5
		points := p.pointsOf(s)
		if s.named() {
			radius = 5
		} else {
			var list []string
			for _, q := range p.front(points) {
				list = append(list, fmt.Sprintf("%g,%g", x(q.x), y(q.y)))
			}
			fmt.Fprintf(to, "<polyline class=%q points=%q/>\n", class, strings.Join(list, " "))
		}
		for i, q := range points {
			fmt.Fprintf(to, "<circle class=%q cx=\"%g\" cy=\"%g\" r=\"%g\"/>\n", class, x(q.x), y(q.y), radius)
			if s.named() {
				anchor, dx := "start", 8.0
				if x(q.x) > left+plotW/2 {
					anchor, dx = "end", -8
				}
				text(x(q.x)+dx, y(q.y)-8+24*float64(i%2), "", anchor, q.label)
			}
		}
	}
}
