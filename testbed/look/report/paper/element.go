package paper

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// element is an element of an SVG file.
type element struct {
	XMLName    xml.Name
	Attributes []xml.Attr `xml:",any,attr"`
	Text       string     `xml:",chardata"`
	Children   []*element `xml:",any"`
}

func parse(file string) (*element, error) {
	root := &element{}
	return root, xml.Unmarshal([]byte(file), root)
}

// name is the element's, without its namespace.
func (e *element) name() string { return e.XMLName.Local }

// attribute is the value of an attribute, "" if there is none.
func (e *element) attribute(name string) string {
	for _, a := range e.Attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// find returns the first element of that name, an empty one if there is none.
func (e *element) find(name string) *element {
	if e.name() == name {
		return e
	}
	for _, child := range e.Children {
		if found := child.find(name); found.name() != "" {
			return found
		}
	}
	return &element{}
}

// draw draws the element and its content.
func (e *element) draw(on surface, group style, all rules) error {
	s := all.of(e, group)
	if s["display"] == "none" {
		return nil
	}
	switch e.name() {
	case "title", "desc", "style":
		return nil
	case "svg", "g", "a":
		for _, child := range e.Children {
			if err := child.draw(on, s, all); err != nil {
				return err
			}
		}
		return nil
	case "text":
		return e.write(on, s)
	}
	lines, err := e.outlines()
	if err != nil {
		return err
	}
	with, filled, err := s.ink("fill", "#000")
	if err != nil {
		return err
	}
	if filled {
		on.fill(lines, with)
	}
	with, drawn, err := s.ink("stroke", "none")
	if drawn && err == nil {
		on.stroke(dashed(lines, s.dashes()), s.number("stroke-width"), with)
	}
	return err
}

// write draws a text at its anchor.
func (e *element) write(on surface, s style) error {
	at, err := e.numbers("x", "y")
	if err != nil {
		return err
	}
	with, _, err := s.ink("fill", "#000")
	if err != nil {
		return err
	}
	switch wide := on.width(e.Text); e.attribute("text-anchor") {
	case "middle":
		at[0] -= wide / 2
	case "end":
		at[0] -= wide
	}
	on.text(point{at[0], at[1]}, e.Text, with)
	return nil
}

// outlines are the lines that an element consists of.
func (e *element) outlines() ([][]point, error) {
	switch e.name() {
	case "rect":
		if e.attribute("width") == "100%" {
			return [][]point{box(0, 0, 1e5, 1e5)}, nil
		}
		n, err := e.numbers("x", "y", "width", "height")
		return [][]point{box(n[0], n[1], n[2], n[3])}, err
	case "circle":
		n, err := e.numbers("cx", "cy", "r")
		const corners = 32
		var around []point
		for i := range corners + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			around = append(around, point{n[0] + float64(n[2]*cos), n[1] + float64(n[2]*sin)})
		}
		return [][]point{around}, err
	case "path":
		return path(e.attribute("d"))
	}
	return nil, fmt.Errorf("an element %s cannot be drawn in this kind of file", e.name())
}

func box(x, y, w, h float64) []point {
	return []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}}
}

// numbers are the values of attributes, 0 for one that is missing.
func (e *element) numbers(names ...string) ([]float64, error) {
	list := make([]float64, len(names))
	for i, name := range names {
		if text := e.attribute(name); text != "" {
			var err error
			if list[i], err = strconv.ParseFloat(text, 64); err != nil {
				return list, fmt.Errorf("%s of %s: %w", name, e.name(), err)
			}
		}
	}
	return list, nil
}

// path reads the data of a path: M, L, H, V and Z, all absolute.
func path(data string) (lines [][]point, err error) {
	var at point
	for i := 0; i < len(data); {
		command := data[i]
		end := i + 1
		for end < len(data) && strings.IndexByte("MLHVZ", data[end]) < 0 {
			end++
		}
		var n []float64
		for _, word := range strings.Fields(data[i+1 : end]) {
			value, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, fmt.Errorf("path %q: %w", data, err)
			}
			n = append(n, value)
		}
		want := map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'Z': 0}
		count, known := want[command]
		if !known || len(n) != count || command != 'M' && len(lines) == 0 {
			return nil, fmt.Errorf("path %q cannot be drawn in this kind of file", data)
		}
		switch command {
		case 'M', 'L':
			at = point{n[0], n[1]}
		case 'H':
			at.x = n[0]
		case 'V':
			at.y = n[0]
		case 'Z':
			at = lines[len(lines)-1][0]
		}
		if command == 'M' {
			lines = append(lines, nil)
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], at)
		i = end
	}
	return lines, nil
}

// dashed cuts lines into dashes.
func dashed(lines [][]point, lengths []float64) (list [][]point) {
	if len(lengths) == 0 {
		return lines
	}
	for _, line := range lines {
		if len(line) == 0 {
			continue
		}
		number, left := 0, lengths[0]
		dash := []point{line[0]}
		for i := 1; i < len(line); i++ {
			from, to := line[i-1], line[i]
			for length := math.Hypot(to.x-from.x, to.y-from.y); length > 0; {
				step := math.Min(left, length)
				from = point{from.x + float64((to.x-from.x)*step/length), from.y + float64((to.y-from.y)*step/length)}
				length -= step
				dash = append(dash, from)
				if left -= step; left > 1e-9 {
					continue
				}
				if number%2 == 0 {
					list = append(list, dash)
				}
				number++
				left, dash = lengths[number%len(lengths)], []point{from}
			}
		}
		if number%2 == 0 && len(dash) > 1 {
			list = append(list, dash)
		}
	}
	return list
}
