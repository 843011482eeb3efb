package picture

import (
	"fmt"
	"math"
)

// Panels are lines over model time in frames one below the other, all with the same two axes.
type Panels struct {
	// Title is the subject, Above the text over the vertical axis with its unit, Note the difference of the lines, ""
	// for none.
	Title, Above, Note string
	Panels             []Panel
	// Keys are the legend, none if there is one panel a variant.
	Keys []Key
	// Most is the end of the vertical axis; if zero, the largest value.
	Most float64
}

// Panel is one frame.
type Panel struct {
	Name  string
	Lines []PanelLine
}

// PanelLine is a line of a panel.
type PanelLine struct {
	// Depths has the values in the unit of the axis, and the colour.
	Depths
	Style LineStyle
}

// LineStyle is the style of a line.
type LineStyle int

// The styles: in the colour of the variant, with its dash; thin; dashed; dotted; grey and thin for one among many;
// thin, dashed and black for unmeasured values.
const (
	Solid LineStyle = iota
	Thin
	Dashed
	Dotted
	Grey
	Bound
)

var lineClass = map[LineStyle]string{
	Thin:   "line thin",
	Dashed: "line dash-1",
	Dotted: "line dash-2",
	Grey:   "line thin",
	Bound:  "one",
}

// panelHeight is the height of a frame, panelRoom what its labels need.
const (
	panelHeight = 150
	panelRoom   = 66
)

// Draw makes the picture.
func (d Panels) Draw() *Picture {
	end, most := 0.0, d.Most
	text := d.Note
	for _, p := range d.Panels {
		largest := 0.0
		for _, l := range p.Lines {
			for _, v := range l.Bytes {
				largest = math.Max(largest, v)
			}
			end = math.Max(end, l.Width*float64(l.First+int64(len(l.Bytes))))
		}
		if d.Most == 0 {
			most = math.Max(most, largest)
		}
		text += fmt.Sprintf(" %s: at most %s.", p.Name, plain(largest))
	}
	if most == 0 {
		return empty(d.Title, "Nothing was recorded over time.")
	}
	unit, word := timeUnit(end)
	top := 0.0
	if len(d.Keys) > 0 {
		top = legendHeight(d.Keys, wideWidth-80)
	}
	c := newCanvas(wideWidth, top+float64(len(d.Panels))*(panelHeight+panelRoom)+4, d.Title, text)
	if len(d.Keys) > 0 {
		c.legend(d.Keys, 64, 2, wideWidth-80)
	}
	for i, p := range d.Panels {
		f := frame{left: 64, top: top + float64(i)*(panelHeight+panelRoom) + 24, right: wideWidth - 14}
		f.bottom = f.top + panelHeight
		f.x = scale{0, end / unit, f.left, f.right, false}
		f.y = scale{0, most, f.bottom, f.top, false}
		above := d.Above
		if p.Name != "" {
			above = p.Name + ": " + above
		}
		c.axes(f, ticksOf(steps(0, end/unit, 8), plain), ticksOf(steps(0, most, 5), plain), "model time, "+word,
			fit(above, f.right-f.left))
		for _, l := range p.Lines {
			l.drawOn(c, f, unit)
		}
	}
	return c.done()
}

func (l PanelLine) drawOn(c *canvas, f frame, unit float64) {
	hue, class := hueClass(l.Hue), lineClass[l.Style]
	switch l.Style {
	case Solid:
		class = "line" + dashClass(l.Hue)
	case Grey:
		hue = "unsure"
	}
	c.open(` class="` + hue + `"`)
	c.draw(class, l.curve(f, unit))
	c.end()
}
