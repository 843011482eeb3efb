package paper

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// style has properties of CSS by name.
type style map[string]string

// rules are the properties of classes and elements, in their order in the source.
type rules []rule

type rule struct {
	selector string // a class with its dot, or an element
	style    style
}

var ruleText = regexp.MustCompile(`\.picture(?: (\.?[a-z0-9-]+))? \{([^}]*)\}`)

// rulesOf reads the style of a picture.
func rulesOf(text string) (list rules) {
	for _, m := range ruleText.FindAllStringSubmatch(text, -1) {
		r := rule{m[1], style{}}
		for declaration := range strings.SplitSeq(m[2], ";") {
			if name, value, ok := strings.Cut(declaration, ":"); ok {
				r.style[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
		}
		list = append(list, r)
	}
	return list
}

// inherited are the properties that a group's elements have from it.
var inherited = []string{"color", "opacity"}

// of is the style of an element in a group.
func (list rules) of(e *element, group style) style {
	s := style{}
	for _, name := range inherited {
		if value := group[name]; value != "" {
			s[name] = value
		}
	}
	classes := strings.Fields(e.attribute("class"))
	for _, r := range list {
		if r.selector != e.name() && !contains(classes, r.selector) {
			continue
		}
		for name, value := range r.style {
			s[name] = value
		}
	}
	return s
}

func contains(classes []string, selector string) bool {
	for _, class := range classes {
		if "."+class == selector {
			return true
		}
	}
	return false
}

// ink is the colour of a property, false for none.
func (s style) ink(property, usual string) (ink, bool, error) {
	value := s[property]
	if value == "" {
		value = usual
	}
	if value == "currentColor" {
		value = s["color"]
	}
	switch value {
	case "", "none", "transparent":
		return ink{}, false, nil
	}
	with := ink{opacity: 1}
	if text := s["opacity"]; text != "" {
		var err error
		if with.opacity, err = strconv.ParseFloat(text, 64); err != nil {
			return with, false, fmt.Errorf("opacity %q: %w", text, err)
		}
	}
	digits, hex := strings.CutPrefix(value, "#")
	if len(digits) == 3 {
		digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
	}
	number, err := strconv.ParseUint(digits, 16, 24)
	if !hex || err != nil || len(digits) != 6 {
		return with, false, fmt.Errorf("%s %q is not a colour", property, value)
	}
	with.r, with.g, with.b = uint8(number>>16), uint8(number>>8), uint8(number)
	return with, true, nil
}

// number is a length, 1 if there is none.
func (s style) number(property string) float64 {
	if value, err := strconv.ParseFloat(s[property], 64); err == nil {
		return value
	}
	return 1
}

// dashes are the lengths of dashes and gaps, none for a whole line.
func (s style) dashes() (list []float64) {
	for _, word := range strings.Fields(s["stroke-dasharray"]) {
		if value, err := strconv.ParseFloat(word, 64); err == nil && value > 0 {
			list = append(list, value)
		}
	}
	return list
}
