package picture

import (
	"math"
)

// Sizes is slowdown over the size of flows: median and 99th percentile.
type Sizes struct {
	// Group is the traffic of the flows; "" if there is only one.
	Group string
	Lines []BySize
}

// BySize are the bins of a variant, the smallest sizes first.
type BySize struct {
	Key
	Bins []SizeBin
}

// SizeBin is a share of flows of near sizes.
type SizeBin struct {
	// Most is the largest size in bytes.
	Most float64
	// Median and P99 are slowdowns, NaN if no flow completed.
	Median, P99 float64
}

// Draw makes the picture.
func (d Sizes) Draw() *Picture {
	title := "Slowdown over flow size"
	if d.Group != "" {
		title += ": " + d.Group
	}
	least, most := math.Inf(1), math.Inf(-1)
	small, large := math.Inf(1), math.Inf(-1)
	var keys []Key
	for _, l := range d.Lines {
		drawn := false
		for _, b := range l.Bins {
			for _, v := range []float64{b.Median, b.P99} {
				if v > 0 && b.Most > 0 && !math.IsInf(v, 0) {
					least, most = min(least, v), max(most, v)
					small, large = min(small, b.Most), max(large, b.Most)
					drawn = true
				}
			}
		}
		if drawn {
			keys = append(keys, l.Key)
		}
	}
	if len(keys) == 0 {
		return empty(title, "No flows of different sizes have completed.")
	}
	least, most = logRange(min(least, 1), most)
	small, large = logRange(small, large)
	top := legendHeight(keys, smallWidth-60) + 30
	f := frame{left: 48, top: top, right: smallWidth - 18, bottom: top + 230}
	f.x = scale{small, large, f.left, f.right, true}
	f.y = scale{least, most, f.bottom, f.top, true}
	c := newCanvas(smallWidth, f.bottom+42, title, "The upper line of a colour, with open marks, is the 99th percentile "+
		"of the slowdown, the lower one, with full marks, the median. Both axes are logarithmic.")
	c.legend(keys, f.left, 2, f.right-f.left)
	c.axes(f, ticksOf(decades(small, large), func(v float64) string { return Prefixed(v, "B") }),
		ticksOf(decades(least, most), plain), "flow size (each mark 5 % of the flows)",
		"slowdown (full: median, open: 99th percentile)")
	for _, l := range d.Lines {
		c.open(` class="` + hueClass(l.Hue) + `"`)
		c.sizes(f, l, "mark", func(b SizeBin) float64 { return b.Median })
		c.sizes(f, l, "open", func(b SizeBin) float64 { return b.P99 })
		c.end()
	}
	return c.done()
}

// sizes draws a line through a value of each bin.
func (c *canvas) sizes(f frame, l BySize, mark string, of func(SizeBin) float64) {
	var p path
	pen := false
	for _, b := range l.Bins {
		v := of(b)
		if !(v > 0) || math.IsInf(v, 0) || !(b.Most > 0) {
			pen = false
			continue
		}
		if pen {
			p.to(f.x.at(b.Most), f.y.at(v))
		} else {
			p.move(f.x.at(b.Most), f.y.at(v))
		}
		pen = true
	}
	c.draw("line thin"+dashClass(l.Hue), &p)
	for _, b := range l.Bins {
		if v := of(b); v > 0 && !math.IsInf(v, 0) && b.Most > 0 {
			c.marker(mark, l.Hue, f.x.at(b.Most), f.y.at(v), 3)
		}
	}
}
