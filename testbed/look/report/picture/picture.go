package picture

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// Picture is a drawing that is done.
type Picture struct {
	// Width and Height are its size in pixels, relative to a text size of 12.
	Width, Height float64
	// Title and Description say what there is to see to who does not see it.
	Title, Description string
	// role is the role of its element: img, or group if there are links in it.
	role string
	body string
	// boxes are the places of its labels.
	boxes []box
}

// box is the place of a text.
type box struct {
	left, top, right, bottom float64
	text                     string
}

// Rules is the style of pictures for a page that has the colours as variables.
//
//go:embed picture.css
var Rules string

// light are the colours of a picture outside a page.
var light = map[string]string{
	"text": "#222", "soft": "#5a5a5a", "ground": "#fff", "grid": "#e2e4e6", "edge": "#9aa0a4", "bad": "#b03000",
	"hue-0": "#0072b2", "hue-1": "#d55e00", "hue-2": "#009e73", "hue-3": "#cc79a7",
	"hue-4": "#e69f00", "hue-5": "#56b4e9", "hue-6": "#000000", "hue-7": "#f0e442",
}

var variable = regexp.MustCompile(`var\(--([a-z0-9-]+)\)`)

// Paper follows an element's description to make it a file of its own: the style in light colours, without variables,
// as programs that typeset do not know these, and a white ground.
var Paper = func() string {
	rules := variable.ReplaceAllStringFunc(Rules, func(match string) string {
		colour, known := light[variable.FindStringSubmatch(match)[1]]
		if !known {
			panic("picture.css has the unknown colour " + match)
		}
		return colour
	})
	return "<style>" + rules + `</style><rect class="ground" width="100%" height="100%"/>`
}()

// Element is the picture for a page.
func (p *Picture) Element() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="picture" width="%s" height="%s" `+
		`viewBox="0 0 %[1]s %[2]s" role="%s"><title>%s</title><desc>%s</desc>%s</svg>`,
		pixels(p.Width), pixels(p.Height), p.role, escape(p.Title), escape(p.Description), p.body)
}

// stackRules is the style of Stacks, which no page has.
//
//go:embed stacks.css
var stackRules string

// File is the picture as a file of its own.
func (p *Picture) File() string {
	style := Paper
	if strings.Contains(p.body, `class="stack `) {
		style = strings.Replace(style, "</style>", stackRules+"</style>", 1)
	}
	return strings.Replace(p.Element(), "</desc>", "</desc>"+style, 1) + "\n"
}
