package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parts is a bar of the parts of a time. It is as wide as its place and 24 pixels high: lengths are percentages, and
// its texts keep their size. Bars with one Most have one axis.
type Parts struct {
	// Title is whose time it is, Description its parts in words.
	Title, Description string
	// Most is the end of the axis. Unit: microseconds. Range: above 0.
	Most  float64
	Parts []Part
}

// Part is a segment of a bar.
type Part struct {
	// Name is the part's word, of letters and spaces: held back. It gives the colour, by the class part-held-back.
	Name string
	// US is its length. Unit: microseconds. Range: from 0.
	US float64
	// Text is the length with its unit, Hint the text shown on pointing at it.
	Text, Hint string
}

const (
	barHeight = 24
	// textRoom is the room for a label beside its letters, in pixels.
	textRoom = 10
)

// barWidths are widths of bars in pixels from which on more labels fit. The style has classes from-N and below-N for
// labels that are shown on bars of at least the N-th width, and below it.
var barWidths = []float64{300, 560, 760, 1040}

// PartClass is the class that gives a part its colour.
func PartClass(name string) string { return "part-" + strings.ReplaceAll(name, " ", "-") }

// Bar is the element for a page.
func (d Parts) Bar() string {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="picture parts" width="100%%" height="%d" `+
		`role="img"><title>%s</title><desc>%s</desc>`, barHeight, escape(d.Title), escape(d.Description))
	for _, at := range d.ticks() {
		fmt.Fprintf(&out, `<rect class="tick" x="%s%%" width="1" height="%d"/>`, percent(at/d.Most), barHeight)
	}
	sum := 0.0
	for _, p := range d.Parts {
		from, to := share(sum/d.Most), share((sum+p.US)/d.Most)
		sum += p.US
		if to <= from {
			continue
		}
		fmt.Fprintf(&out, `<g class="%s"><title>%s</title><rect x="%s%%" y="2" width="%s%%" height="%d"/>`,
			PartClass(p.Name), escape(p.Hint), percent(from), percent(to-from), barHeight-4)
		p.label(&out, from, to)
		out.WriteString("</g>")
	}
	out.WriteString("</svg>")
	return out.String()
}

// label writes name and length on bars on which both fit, and only the length if just that fits.
func (p Part) label(out *strings.Builder, from, to float64) {
	both, alone := widthFor(p.Name+" "+p.Text, to-from), widthFor(p.Text, to-from)
	text := func(class, text string) {
		fmt.Fprintf(out, `<text class="%s" x="%s%%" y="16" text-anchor="middle">%s</text>`, class,
			percent((from+to)/2), escape(text))
	}
	if both < len(barWidths) {
		text(fmt.Sprintf("from-%d", both), p.Name+" "+p.Text)
	}
	switch {
	case alone >= both:
	case both < len(barWidths):
		text(fmt.Sprintf("from-%d below-%d", alone, both), p.Text)
	default:
		text(fmt.Sprintf("from-%d", alone), p.Text)
	}
}

// widthFor returns the number of the least width of a bar at which a text fits into a share of it, the number of widths
// if it never fits.
func widthFor(text string, share float64) int {
	for i, width := range barWidths {
		if textWidth(text)+textRoom <= width*share {
			return i
		}
	}
	return len(barWidths)
}

func (d Parts) ticks() []float64 {
	unit, _ := timeUnit(d.Most)
	list := steps(0, d.Most/unit, 5)
	for i := range list {
		list[i] *= unit
	}
	return list
}

// Axis is the axis below bars, with its labels.
func (d Parts) Axis() string {
	var out strings.Builder
	out.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" class="picture parts" width="100%" height="18" ` +
		`aria-hidden="true">`)
	unit, word := timeUnit(d.Most)
	for _, at := range d.ticks() {
		anchor := atMiddle
		switch {
		case at == 0:
			anchor = atStart
		case at > 0.95*d.Most:
			anchor = atEnd
		}
		text := plain(at/unit) + " " + word
		fmt.Fprintf(&out, `<text class="soft" x="%s%%" y="13" text-anchor="%s">%s</text>`, percent(at/d.Most), anchor, text)
	}
	out.WriteString("</svg>")
	return out.String()
}

// share rounds a share to the hundred-thousandth, so that the widths that are written add up.
func share(v float64) float64 { return math.Round(v*1e5) / 1e5 }

// percent writes a share as a percentage to the thousandth.
func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e5)/1e3, 'f', -1, 64)
}
