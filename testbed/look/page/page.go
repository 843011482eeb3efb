// Package page lays out the output of commands for people: lines and tables that are no wider than the page.
//
// A page is a terminal, or a file or pipe that is to be the same everywhere and has a fixed width. A line is folded
// between words; a longer word, such as a path, stays whole. A Table that is too wide first sheds its details into a
// table of their own; one that is still too wide has rows and columns exchanged, or its columns in several tables.
package page

import (
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/internal/terminal"
)

// FixedWidth is the width of a page that is not a terminal, in columns.
const FixedWidth = 120

// proseWidth is the maximum width at which lines are folded: longer ones are hard to read.
const proseWidth = 100

// Page describes the output device.
type Page struct {
	// Width is in columns; 0 is without an end.
	Width int
	// Colour is set if escape sequences for colours are understood.
	Colour bool
	// Plain is set if only characters of ASCII may be understood, so that pictures are made of these.
	Plain bool
}

// Fold folds a line at the page's width, at most 100 columns; the lines after the first are indented by indent. It
// keeps spaces within a line. A terminal obeys only the colour of the line's first word, if the page knows colours:
// names in it are from outside.
func (p Page) Fold(line string, indent int) string {
	line = p.harmless(line)
	width := min(p.Width, proseWidth)
	if width <= 0 || text.StringWidthWithoutEscSequences(line) <= width {
		return line
	}
	var out strings.Builder
	column := 0
	for i, word := range words(line) {
		w := text.StringWidthWithoutEscSequences(word)
		switch {
		case i == 0:
		case column+1+w > width && column > indent:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			out.WriteString(" ")
			column++
		}
		out.WriteString(word)
		column += w
	}
	return out.String()
}

// words are the words of a line; a figure and its unit are one.
func words(line string) (list []string) {
	for _, word := range strings.Split(line, " ") {
		if last := len(list) - 1; last >= 0 && figure.MatchString(strings.TrimRight(list[last]+" "+word, ";:,.)")) &&
			!figure.MatchString(word) {
			list[last] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// harmless returns a line as a terminal may have it.
func (p Page) harmless(line string) string {
	label := ""
	if p.Colour {
		label = painted.FindString(line)
	}
	return label + terminal.Line(line[len(label):])
}

// painted is a label in its colour at the beginning of a line: PASS in green.
var painted = regexp.MustCompile(`^\x1b\[[0-9;]+m[A-Za-z ]*\x1b\[0m`)

// Bold prints text in bold where the page knows colours.
func (p Page) Bold(s string) string {
	if !p.Colour {
		return s
	}
	// The library guesses whether there is a terminal; the page knows.
	return text.Bold.EscapeSeq() + s + text.EscapeReset
}
