package picture

import (
	"fmt"
	"strings"
)

// Stacks are bars of the parts of times, on one axis: a group of bars for each rank of flows.
type Stacks struct {
	Title  string
	Groups []StackGroup
}

// StackGroup is a title with its bars.
type StackGroup struct {
	Name string
	Bars []Stack
}

// Stack is a bar: whose time it is, the time in words, and the parts that it is made of.
type Stack struct {
	Name, Time string
	Parts      []Part
}

// Draw makes the picture.
func (d Stacks) Draw() *Picture {
	var names, times, parts []string
	used := map[string]bool{}
	most, text := 0.0, ""
	for _, g := range d.Groups {
		for _, b := range g.Bars {
			names, times = append(names, b.Name), append(times, b.Time)
			sum := 0.0
			text += fmt.Sprintf(" %s, %s: %s;", g.Name, b.Name, b.Time)
			for _, p := range b.Parts {
				sum += p.US
				if p.US > 0 {
					text += fmt.Sprintf(" %s %s,", p.Name, p.Text)
					if !used[p.Name] {
						used[p.Name], parts = true, append(parts, p.Name)
					}
				}
			}
			text = text[:len(text)-1] + "."
			most = max(most, sum)
		}
	}
	if most == 0 {
		return empty(d.Title, "No flow took any time.")
	}
	const lane, head = 24.0, 24.0
	unit, word := timeUnit(most)
	left, right := min(widest(names), 260)+14, min(widest(times), 120)+14
	f := frame{left: left, right: wideWidth - right}
	f.x = scale{0, most / unit, f.left, f.right, false}
	keys := d.keyPlaces(parts)
	f.top = 20 * float64(keys[len(keys)-1].row+1)
	f.bottom = f.top + head*float64(len(d.Groups)) + lane*float64(len(names))
	c := newCanvas(wideWidth, f.bottom+42, d.Title, strings.TrimSpace(text))
	for i, k := range keys {
		c.rect(stackClass(parts[i]), k.x, 20*float64(k.row)+3, 12, 12, "")
		c.text(k.x+17, 20*float64(k.row)+13, atStart, "", parts[i])
	}
	c.across(f, ticksOf(steps(0, most/unit, 6), plain))
	y := f.top
	for _, g := range d.Groups {
		c.text(6, y+head-6, atStart, "soft", g.Name)
		y += head
		for _, b := range g.Bars {
			c.text(6, y+16, atStart, "", fit(b.Name, left-12))
			c.stack(f, b, y+3, unit)
			c.text(wideWidth-6, y+16, atEnd, "", fit(b.Time, right-8))
			y += lane
		}
	}
	c.line("axis", f.left, f.bottom, f.right, f.bottom)
	c.text((f.left+f.right)/2, f.bottom+34, atMiddle, "soft", "time, "+word)
	return c.done()
}

// stackClass is the class that colours a part in a file of its own.
func stackClass(part string) string { return "stack stack-" + strings.ReplaceAll(part, " ", "-") }

type keyPlace struct {
	x   float64
	row int
}

// keyPlaces puts the keys of parts side by side, in as many rows as they need.
func (d Stacks) keyPlaces(parts []string) (list []keyPlace) {
	at := keyPlace{x: 6}
	for _, p := range parts {
		wide := textWidth(p) + 36
		if at.x+wide > wideWidth {
			at = keyPlace{6, at.row + 1}
		}
		list = append(list, at)
		at.x += wide
	}
	return list
}

func (c *canvas) stack(f frame, b Stack, y, unit float64) {
	sum := 0.0
	for _, p := range b.Parts {
		from, to := f.x.at(sum/unit), f.x.at((sum+p.US)/unit)
		sum += p.US
		if to > from {
			c.rect(stackClass(p.Name), from, y, to-from, 18, p.Hint)
		}
	}
}
