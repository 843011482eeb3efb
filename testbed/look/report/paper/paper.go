package paper

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// Endings are the endings of the files that there are.
var Endings = []string{".svg", ".png", ".pdf"}

// File returns the bytes of a picture's file, in the kind of its name's ending. The error names the known endings.
func File(p *picture.Picture, name string) ([]byte, error) {
	switch ending := strings.ToLower(filepath.Ext(name)); {
	case ending == ".svg":
		return []byte(p.File()), nil
	case ending == ".png":
		return PNG(p)
	case ending == ".pdf":
		return pdf(p)
	case slices.Contains([]string{"", "."}, ending):
		return nil, fmt.Errorf("%s has no ending: allowed are %s", name, strings.Join(Endings, ", "))
	default:
		return nil, fmt.Errorf("%s: no picture ends in %s: allowed are %s", name, ending, strings.Join(Endings, ", "))
	}
}

// surface is the surface for a picture. Lengths are the picture's pixels.
type surface interface {
	// fill fills outlines, each closed, with a colour.
	fill(outlines [][]point, with ink)
	// stroke draws lines of a width.
	stroke(lines [][]point, width float64, with ink)
	// text writes a text, whose base line begins at a point, in letters of 12 pixels.
	text(at point, text string, with ink)
	// width returns the width of a text.
	width(text string) float64
}

type point struct{ x, y float64 }

// ink is a colour. Range: 0 to 255, opacity 0 to 1.
type ink struct {
	r, g, b uint8
	opacity float64
}

// paint draws a picture.
func paint(p *picture.Picture, on surface) error {
	root, err := parse(p.File())
	if err != nil {
		return err
	}
	return root.draw(on, style{}, rulesOf(root.find("style").Text))
}
