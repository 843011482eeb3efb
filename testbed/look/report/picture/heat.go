package picture

import (
	"fmt"
	"math"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Heat shows the ports of a fabric over time: a row a port, with one layer visible at a time.
type Heat struct {
	Key
	// Width is a bin's microseconds.
	Width  float64
	Bins   int
	Layers []Layer
	// End is where the axis of time ends, so that pictures can share one; one before the last bin's end is not heeded.
	// Unit: microseconds.
	End float64
}

// span is the length of the axis of time.
func (d Heat) span() float64 { return math.Max(d.End, d.Width*float64(d.Bins)) }

// Layer is one quantity of all ports.
type Layer struct {
	// Name is its name at a page's control.
	Name string
	// Full is the value at which a cell has its strongest colour, and Text its printed form.
	Full float64
	Text string
	Rows []HeatRow
}

// HeatRow is a port.
type HeatRow struct {
	Node, Port, Peer string
	// Peak is its largest value as a text.
	Peak string
	// Values are the bins', 0 for empty ones.
	Values []float64
}

// heatLevels is the number of shades; a value that is not 0 has at least the first.
const heatLevels = 8

const heatRow = 15

// level is a value's shade, 0 for none.
func level(value, full float64) int {
	if !(value > 0) || !(full > 0) {
		return 0
	}
	return unit.Whole[int](math.Min(math.Max(math.Ceil(value/full*heatLevels), 1), heatLevels))
}

// Draw makes the picture: layers after the first are marked as off, which a page's control changes.
func (d Heat) Draw() *Picture {
	title := "Ports over time: " + d.Name
	var names []string
	rows := 0
	for _, l := range d.Layers {
		rows = max(rows, len(l.Rows))
		for _, r := range l.Rows {
			names = append(names, r.label())
		}
	}
	if rows == 0 || d.Bins == 0 {
		return empty(title, "No port was recorded.")
	}
	const top, right = 34, 82
	left := math.Min(widest(names), 190) + 20
	span := d.span()
	cell := (wideWidth - left - right) * d.Width / span
	f := frame{left: left, top: top, right: wideWidth - right, bottom: top + heatRow*float64(rows)}
	unit, word := timeUnit(span)
	f.x = scale{0, span / unit, f.left, f.right, false}
	c := newCanvas(wideWidth, f.bottom+42, title, d.describe())
	c.role = "group" // rows are links, which an image has not
	c.across(f, ticksOf(steps(0, span/unit, 8), plain))
	for i, l := range d.Layers {
		class := "layer"
		if i > 0 {
			class += " off"
		}
		c.open(fmt.Sprintf(` class="%s" data-layer="%s"`, class, escape(l.Name)))
		c.layer(f, d, l, cell)
		c.end()
	}
	c.line("axis", f.left, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, f.bottom+34, atMiddle, "soft", "model time in "+word)
	return c.done()
}

// label names the row; the ports of a tier have no one peer.
func (r HeatRow) label() string {
	if r.Peer == "" {
		return r.Node + ":" + r.Port
	}
	return r.Node + ":" + r.Port + " to " + r.Peer
}

// layer draws the rows of a layer, with the shades' scale above. All cells of a row that have
// one shade are one path.
func (c *canvas) layer(f frame, d Heat, l Layer, cell float64) {
	before := len(c.boxes)
	c.text(f.left, 20, atStart, "soft", l.Name)
	full := c.text(f.right, 20, atEnd, "soft", l.Text)
	zero := full.left - 10 - heatLevels*14
	c.text(zero-4, 20, atEnd, "soft", "0")
	c.text(f.right+8, 20, atStart, "soft", "peak")
	c.open(` class="` + hueClass(d.Hue) + `"`)
	for i := range heatLevels {
		c.rect(fmt.Sprintf("heat heat-%d", i+1), zero+14*float64(i), 11, 14, 10, "")
	}
	c.end()
	for i, r := range l.Rows {
		y := f.top + heatRow*float64(i)
		c.open(fmt.Sprintf(` class="row %s" data-node="%s" data-port="%s"`, hueClass(d.Hue), escape(r.Node),
			escape(r.Port)))
		c.rect("ground", 0, y, f.right, heatRow, "")
		for shade := 1; shade <= heatLevels; shade++ {
			c.draw(fmt.Sprintf("cells heat-%d", shade), cells(f, r, l.Full, shade, y, cell))
		}
		c.text(6, y+11, atStart, "", fit(r.label(), f.left-14))
		c.text(f.right+8, y+11, atStart, "soft", fit(r.Peak, wideWidth-f.right-10))
		c.end()
	}
	if l.Name != d.Layers[0].Name {
		c.boxes = c.boxes[:before] // it is in the place of the first
	}
}

// cells are the bins of a row with a shade, those side by side as one: a thick line.
func cells(f frame, r HeatRow, full float64, shade int, y, cell float64) *path {
	p := &path{}
	for i := 0; i < len(r.Values); i++ {
		if level(r.Values[i], full) != shade {
			continue
		}
		from := i
		for i+1 < len(r.Values) && level(r.Values[i+1], full) == shade {
			i++
		}
		p.move(f.left+cell*float64(from), y+heatRow/2.0)
		p.across(math.Min(f.left+cell*float64(i+1), f.right))
	}
	return p
}

func (d Heat) describe() string {
	text := "A row a port, the stronger its colour the more; the ports with the largest values first."
	for _, l := range d.Layers {
		if len(l.Rows) > 0 {
			text += fmt.Sprintf(" %s: most at %s, %s.", l.Name, l.Rows[0].label(), l.Rows[0].Peak)
		}
	}
	return text
}
