package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// hues and dashes are the numbers of colours and dashes.
const (
	hues   = 8
	dashes = 4
)

// canvas is a picture that is being drawn.
type canvas struct {
	Picture
	out strings.Builder
}

func newCanvas(width, height float64, title, description string) *canvas {
	return &canvas{Picture: Picture{
		Width:       width,
		Height:      height,
		Title:       title,
		Description: description,
		role:        "img",
	}}
}

// done is the picture that was drawn.
func (c *canvas) done() *Picture {
	c.body = c.out.String()
	return &c.Picture
}

// pixels writes a coordinate, to a tenth.
func pixels(v float64) string {
	rounded := math.Round(v*10) / 10
	if rounded == 0 {
		return "0" // and never -0
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// escape makes a text safe in an element and an attribute.
func escape(text string) string { return escaper.Replace(clean(text)) }

// clean puts a sign in the place of what XML has no place for, such as a control character.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffe || r == 0xffff {
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// The anchors of texts: the point of a text at its place.
const (
	atStart  = "start"
	atMiddle = "middle"
	atEnd    = "end"
)

// text writes a text whose base line is at y, and returns its box.
func (c *canvas) text(x, y float64, anchor, class, text string) box {
	wide := textWidth(text)
	place := box{x, y - 9, x + wide, y + 3, text}
	switch anchor {
	case atMiddle:
		place.left, place.right = x-wide/2, x+wide/2
	case atEnd:
		place.left, place.right = x-wide, x
	}
	c.boxes = append(c.boxes, place)
	if anchor != atStart {
		class += `" text-anchor="` + anchor
	}
	fmt.Fprintf(&c.out, `<text x="%s" y="%s"%s>%s</text>`, pixels(x), pixels(y), classOf(class), escape(text))
	return place
}

// classOf returns an attribute, none if it would be empty.
func classOf(class string) string {
	if class == "" {
		return ""
	}
	if rest, none := strings.CutPrefix(class, `" `); none {
		return " " + rest + `"`
	}
	return ` class="` + class + `"`
}

// path is a path's data, with absolute commands only.
type path struct{ strings.Builder }

func (p *path) move(x, y float64)  { p.WriteString("M" + pixels(x) + " " + pixels(y)) }
func (p *path) to(x, y float64)    { p.WriteString("L" + pixels(x) + " " + pixels(y)) }
func (p *path) across(x float64)   { p.WriteString("H" + pixels(x)) }
func (p *path) vertical(y float64) { p.WriteString("V" + pixels(y)) }
func (p *path) close()             { p.WriteString("Z") }

func (c *canvas) draw(class string, p *path) {
	if p.Len() > 0 {
		fmt.Fprintf(&c.out, `<path%s d="%s"/>`, classOf(class), p.String())
	}
}

// line is a straight line.
func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	var p path
	p.move(x1, y1)
	switch {
	case y1 == y2:
		p.across(x2)
	case x1 == x2:
		p.vertical(y2)
	default:
		p.to(x2, y2)
	}
	c.draw(class, &p)
}

// rect is a rectangle, with a text for who points at it.
func (c *canvas) rect(class string, x, y, width, height float64, hint string) {
	fmt.Fprintf(&c.out, `<rect%s x="%s" y="%s" width="%s" height="%s"`, classOf(class), pixels(x), pixels(y),
		pixels(width), pixels(height))
	if hint == "" {
		c.out.WriteString("/>")
		return
	}
	fmt.Fprintf(&c.out, `><title>%s</title></rect>`, escape(hint))
}

// marker is a sign at a place: of the first hue a disc, then a square, a triangle and a
// diamond.
func (c *canvas) marker(class string, hue int, x, y, size float64) {
	var p path
	switch hue % dashes {
	case 0:
		fmt.Fprintf(&c.out, `<circle%s cx="%s" cy="%s" r="%s"/>`, classOf(class), pixels(x), pixels(y), pixels(size))
		return
	case 1:
		p.move(x-0.9*size, y-0.9*size)
		p.across(x + 0.9*size)
		p.vertical(y + 0.9*size)
		p.across(x - 0.9*size)
	case 2:
		p.move(x, y-1.1*size)
		p.to(x+1.1*size, y+0.9*size)
		p.across(x - 1.1*size)
	case 3:
		p.move(x, y-1.3*size)
		p.to(x+1.3*size, y)
		p.to(x, y+1.3*size)
		p.to(x-1.3*size, y)
	}
	p.close()
	c.draw(class, &p)
}

// open begins a group, which end ends.
func (c *canvas) open(attributes string) { c.out.WriteString("<g" + attributes + ">") }
func (c *canvas) end()                   { c.out.WriteString("</g>") }

// hueClass is the class of a variant's colour, dashClass that of its dash.
func hueClass(hue int) string { return "hue-" + strconv.Itoa(hue%hues) }

func dashClass(hue int) string {
	if hue%dashes == 0 {
		return ""
	}
	return " dash-" + strconv.Itoa(hue%dashes)
}

// empty returns a picture that gives the reason why there is none.
func empty(title, why string) *Picture {
	c := newCanvas(smallWidth, 60, title, why)
	c.line("axis", 1, 1, smallWidth-1, 1)
	c.text(smallWidth/2, 36, atMiddle, "soft", fit(why, smallWidth-20))
	return c.done()
}
