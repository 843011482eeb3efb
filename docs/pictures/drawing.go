package main

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// colour is one of Okabe and Ito's, which all readers can distinguish, or the grey of the surroundings. Each is a class
// in the style of an SVG file.
type colour string

const (
	grey       colour = "grey"
	orange     colour = "orange"
	sky        colour = "sky"
	green      colour = "green"
	blue       colour = "blue"
	vermillion colour = "vermillion"
	purple     colour = "purple"
)

// style has the colours for a light page and, if they differ, for a dark one.
const style = `
text { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #1f2328 }
.soft { fill: #59636e }
.paper { fill: #ffffff; stroke: #d1d9e0 }
.box { fill-opacity: .14; stroke-width: 1.5 }
.full { fill-opacity: .85; stroke-width: 0 }
.line { fill: none; stroke-width: 2 }
.dashed { stroke-dasharray: 5 4 }
.grey { fill: #818b98; stroke: #818b98 }
.orange { fill: #e69f00; stroke: #e69f00 }
.sky { fill: #56b4e9; stroke: #56b4e9 }
.green { fill: #009e73; stroke: #009e73 }
.blue { fill: #0072b2; stroke: #0072b2 }
.vermillion { fill: #d55e00; stroke: #d55e00 }
.purple { fill: #cc79a7; stroke: #cc79a7 }
.line.grey, .line.orange, .line.sky, .line.green, .line.blue, .line.vermillion, .line.purple { fill: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .soft { fill: #9da7b3 }
  .paper { fill: #0d1117; stroke: #3d444d }
  .box { fill-opacity: .24 }
  .blue { fill: #3a9bd9; stroke: #3a9bd9 }
}
`

const (
	headingSize = 16
	textSize    = 13
	lineHeight  = 19
	padding     = 12
)

// place is a rectangle. Unit: pixels; x grows to the right, y downwards.
type place struct{ x, y, w, h float64 }

// point is a place without a size.
type point struct{ x, y float64 }

// drawing is a picture in the making: later elements lie above.
type drawing struct {
	width, height float64
	title         string
	// words describe the picture to those who cannot see it.
	words string
	body  strings.Builder
	// tight lists the texts that may be wider than their boxes.
	tight []string
}

// svg returns the file.
func (d *drawing) svg() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" role="img">
<title>%s</title>
<desc>%s</desc>
<style>%s</style>
<rect class="paper" x=".5" y=".5" width="%g" height="%g" rx="8"/>
%s</svg>
`, d.width, d.height, d.width, d.height, html.EscapeString(d.title), html.EscapeString(d.words), style,
		d.width-1, d.height-1, d.body.String())
}

// rectangle draws one with rounded corners, and words in a style of "box" or "full".
func (d *drawing) rectangle(class string, c colour, p place) {
	fmt.Fprintf(&d.body, "<rect class=%q x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"5\"/>\n",
		class+" "+string(c), p.x, p.y, p.w, p.h)
}

// frame draws a dashed rectangle around what belongs together.
func (d *drawing) frame(c colour, p place) { d.rectangle("line dashed", c, p) }

// box draws a rectangle with a heading and lines of text in its middle.
func (d *drawing) box(c colour, p place, heading string, lines ...string) {
	d.rectangle("box", c, p)
	height := float64(headingSize + lineHeight*len(lines))
	if len(lines) > 0 {
		height += 3
	}
	y := p.y + (p.h-height)/2 + headingSize - 3
	x := p.x + p.w/2
	d.text(x, y, heading, "600", headingSize, "", "middle")
	d.fits(heading, .63*headingSize, p.w-padding)
	y += 3
	for _, line := range lines {
		y += lineHeight
		d.text(x, y, line, "400", textSize, "soft", "middle")
		d.fits(line, .52*textSize, p.w-padding)
	}
}

// fits records a text that may be wider than its room, at letter pixels a letter.
func (d *drawing) fits(text string, letter, room float64) {
	if width := letter * float64(len([]rune(text))); width > room {
		d.tight = append(d.tight, fmt.Sprintf("%q takes about %.0f of %.0f pixels", text, width, room))
	}
}

// note writes small text; anchor is start, middle or end.
func (d *drawing) note(x, y float64, anchor string, lines ...string) {
	for i, line := range lines {
		d.text(x, y+lineHeight*float64(i), line, "400", textSize, "soft", anchor)
	}
}

// heading writes large text; anchor is start, middle or end.
func (d *drawing) heading(x, y float64, anchor, text string) {
	d.text(x, y, text, "600", headingSize, "", anchor)
}

func (d *drawing) text(x, y float64, text, weight string, size int, class, anchor string) {
	if class != "" {
		class = fmt.Sprintf(" class=%q", class)
	}
	fmt.Fprintf(&d.body, "<text%s x=\"%g\" y=\"%g\" font-size=\"%d\" font-weight=%q text-anchor=%q>%s</text>\n",
		class, x, y, size, weight, anchor, html.EscapeString(text))
}

// line draws through points; dashed or not.
func (d *drawing) line(c colour, dashed bool, points ...point) {
	class := "line " + string(c)
	if dashed {
		class += " dashed"
	}
	var list []string
	for _, p := range points {
		list = append(list, fmt.Sprintf("%g,%g", p.x, p.y))
	}
	fmt.Fprintf(&d.body, "<polyline class=%q points=%q/>\n", class, strings.Join(list, " "))
}

// arrow draws a line through points with a head at the last.
func (d *drawing) arrow(c colour, points ...point) {
	const length, half = 11, 5
	end, before := points[len(points)-1], points[len(points)-2]
	far := math.Hypot(end.x-before.x, end.y-before.y)
	dx, dy := (end.x-before.x)/far, (end.y-before.y)/far
	neck := point{x: end.x - length*dx, y: end.y - length*dy}
	d.line(c, false, append(points[:len(points)-1:len(points)-1], neck)...)
	fmt.Fprintf(&d.body, "<polygon class=%q points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\" stroke-width=\"0\"/>\n", string(c),
		end.x, end.y, neck.x-half*dy, neck.y+half*dx, neck.x+half*dy, neck.y-half*dx)
}
