package picture

// smallWidth is the width of a picture that fits into a column of a paper and a telephone,
// wideWidth of one with much to see side by side.
const (
	smallWidth = 480
	wideWidth  = 800
)

// Key identifies the owner of a line: a name with its colour.
type Key struct {
	Name string
	// Hue is the number of its colour. Range: from 0.
	Hue int
}

// tick is a labelled place of an axis.
type tick struct {
	at    float64 // value
	label string
}

// ticksOf labels values.
func ticksOf(values []float64, label func(float64) string) (list []tick) {
	for _, v := range values {
		list = append(list, tick{v, label(v)})
	}
	return list
}

// frame is the place of lines between two axes.
type frame struct {
	left, top, right, bottom float64
	x, y                     scale
}

// axes draws the grid and the labels of a frame, whose label of the vertical axis is above
// it; a label that would touch the one before it is left out.
func (c *canvas) axes(f frame, horizontal, vertical []tick, below, above string) {
	c.text(f.left, f.top-8, atStart, "soft", above)
	c.across(f, horizontal)
	last := f.bottom + 20
	for _, t := range vertical {
		y := f.y.at(t.at)
		c.line("grid", f.left, y, f.right, y)
		if y <= last-13 {
			c.text(f.left-6, y+4, atEnd, "", t.label)
			last = y
		}
	}
	c.line("axis", f.left, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, f.bottom+34, atMiddle, "soft", below)
}

// across draws a frame's grid and labels along the horizontal axis.
func (c *canvas) across(f frame, ticks []tick) {
	free := 0.0
	for _, t := range ticks {
		x := f.x.at(t.at)
		c.line("grid", x, f.top, x, f.bottom)
		half := textWidth(t.label) / 2
		if x-half >= free && x+half <= c.Width {
			c.text(x, f.bottom+16, atMiddle, "", t.label)
			free = x + half + 6
		}
	}
}

// legendHeight returns the height of a legend.
func legendHeight(keys []Key, width float64) float64 {
	_, rows := legendPlaces(keys, width)
	return 18 * rows
}

const (
	swatchWidth = 34
	keyGap      = 16
)

// legendPlaces puts keys side by side, in as many rows as they need.
func legendPlaces(keys []Key, width float64) (places [][2]float64, rows float64) {
	x := 0.0
	for _, k := range keys {
		wide := swatchWidth + textWidth(fit(k.Name, width-swatchWidth)) + keyGap
		if x > 0 && x+wide-keyGap > width {
			x = 0
			rows++
		}
		places = append(places, [2]float64{x, rows})
		x += wide
	}
	return places, rows + 1
}

// legend draws keys, each with its line and marker.
func (c *canvas) legend(keys []Key, left, top, width float64) {
	places, _ := legendPlaces(keys, width)
	for i, k := range keys {
		x, y := left+places[i][0], top+18*places[i][1]+10
		c.open(` class="` + hueClass(k.Hue) + `"`)
		c.line("line"+dashClass(k.Hue), x, y-4, x+28, y-4)
		c.marker("mark", k.Hue, x+14, y-4, 4)
		c.end()
		c.text(x+swatchWidth, y, atStart, "", fit(k.Name, width-swatchWidth))
	}
}
