package picture

import (
	"fmt"
	"math"
)

// Late shows how late things were: the share that was later than a given time.
type Late struct {
	// What is the late thing, such as "Lag of model time behind the wall".
	What  string
	Lines []LateLine
}

// LateLine is a histogram.
type LateLine struct {
	Key
	// Bins are those with samples, the earliest first.
	Bins []LateBin
}

// LateBin counts the samples above the bound of the bin before, and at most To microseconds late.
type LateBin struct {
	To      float64
	Samples uint64
}

// rarest is the least share that a picture has.
const rarest = 1e-6

// Draw makes the picture.
func (d Late) Draw() *Picture {
	least, most, floor := math.Inf(1), 0.0, 0.1
	var keys []Key
	text := "Both axes are logarithmic."
	for _, l := range d.Lines {
		total := l.total()
		if total == 0 {
			continue
		}
		for _, b := range l.Bins {
			if b.To > 0 {
				least, most = math.Min(least, b.To), math.Max(most, b.To)
			}
		}
		floor = math.Min(floor, math.Max(rarest, 0.5/total))
		keys = append(keys, l.Key)
		text += fmt.Sprintf(" %s: %s samples, none later than %s us.", l.Name, plain(total), plain(l.Bins[len(l.Bins)-1].To))
	}
	if most == 0 {
		return empty(d.What, "Nothing was late.")
	}
	least, most = logRange(least, most)
	top := legendHeight(keys, smallWidth-82) + 30
	f := frame{left: 64, top: top, right: smallWidth - 18, bottom: top + 200}
	f.x = scale{least, most, f.left, f.right, true}
	f.y = scale{floor, 1, f.bottom, f.top, true}
	c := newCanvas(smallWidth, f.bottom+42, d.What, text)
	c.legend(keys, f.left, 2, f.right-f.left)
	percent := func(share float64) string { return plain(100*share) + " %" }
	c.axes(f, ticksOf(decades(least, most), plain), ticksOf(decades(floor, 1), percent), "microseconds on the wall",
		"share that was later")
	for _, l := range d.Lines {
		if l.total() == 0 {
			continue
		}
		c.open(` class="` + hueClass(l.Hue) + `"`)
		c.draw("line"+dashClass(l.Hue), l.curve(f))
		c.end()
	}
	return c.done()
}

// Latest is the largest of the samples in microseconds, 0 for none.
func (l LateLine) Latest() float64 {
	if len(l.Bins) == 0 {
		return 0
	}
	return l.Bins[len(l.Bins)-1].To
}

func (l LateLine) total() (count float64) {
	for _, b := range l.Bins {
		count += float64(b.Samples)
	}
	return count
}

// curve falls at the end of each bin by what the bin has, and at the last one to the floor.
func (l LateLine) curve(f frame) *path {
	p := &path{}
	p.move(f.left, f.top)
	total, later := l.total(), l.total()
	for _, b := range l.Bins {
		if b.Samples == 0 {
			continue
		}
		later -= float64(b.Samples)
		p.across(f.x.at(b.To))
		p.vertical(f.y.at(later / total))
	}
	return p
}
