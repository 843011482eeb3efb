package page

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// Document is the output of a command, in the order in which a person reads it: verdicts, sentences, tables and
// pictures. It is written once, and printed in each Format by one renderer.
type Document struct {
	// Title is the heading of Markdown and HTML, Kind the command that HTML is of: a terminal has the command above.
	Title, Kind string
	// Facts stand below the title in HTML.
	Facts  []string
	Blocks []Block
	// Record is the value printed as JSON; nil for the verdicts, sentences and tables of the document.
	Record any
	// Rows are the rows printed as CSV, the names of the columns first; nil for the rows of Record, or of the first
	// table.
	Rows [][]string
}

// Block is a part of a document: a Line, a Paragraph, a Table, a Picture, a Listing or a Gap.
type Block interface {
	terminal(p Page) string
	markdown() string
	html() template.HTML
}

// Format is one of the forms of a document.
type Format string

// The formats of every document.
const (
	FormatTable    Format = "table"
	FormatJSON     Format = "json"
	FormatCSV      Format = "csv"
	FormatMarkdown Format = "markdown"
	FormatHTML     Format = "html"
)

// Formats are the formats of every document, the one for a person at a terminal first.
var Formats = []Format{FormatTable, FormatJSON, FormatCSV, FormatMarkdown, FormatHTML}

// ParseFormat reads the name of a format.
func ParseFormat(s string, has ...Format) (Format, error) {
	if f := Format(s); slices.Contains(has, f) {
		return f, nil
	}
	var names []string
	for _, f := range has {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("%q is not a format: allowed are %s", s, strings.Join(names, ", "))
}

// Add appends blocks.
func (d *Document) Add(blocks ...Block) { d.Blocks = append(d.Blocks, blocks...) }

// Say appends a paragraph.
func (d *Document) Say(format string, args ...any) { d.Add(Paragraph(fmt.Sprintf(format, args...))) }

// Print writes the document in a format; the page describes the terminal.
func (d *Document) Print(w io.Writer, f Format, p Page) error {
	switch f {
	case FormatJSON:
		return WriteJSON(w, d.record())
	case FormatCSV:
		return d.writeCSV(w)
	case FormatMarkdown:
		return d.writeMarkdown(w)
	case FormatHTML:
		return d.writeHTML(w)
	}
	return d.writeTerminal(w, p)
}

// Ink is the colour of a Line's word.
type Ink uint8

// The inks, from good to bad.
const (
	Plain Ink = iota
	Green
	Yellow
	Red
	Alarm
)

// Line is a line that a word begins, such as a verdict: PASS, in its colour.
type Line struct {
	Word string
	Ink  Ink
	Text string
}

// Paragraph is a sentence or several, folded to the page.
type Paragraph string

// Picture is drawn by lines of characters on a terminal, and by an element of SVG in HTML.
type Picture struct {
	Title string
	// Lines draw it for a page; nil for a picture that a terminal does not have.
	Lines func(Page) []string
	// Element is the SVG; "" for a picture that HTML does not have.
	Element template.HTML
}

// Drawn is a picture that HTML has and a terminal does not.
func Drawn(p *picture.Picture) Picture {
	return Picture{Title: p.Title, Element: template.HTML(p.Element())}
}

// Listing is text whose lines and spaces stay as they are, such as a command. A table is a Table.
type Listing string

// Section is a heading, which an HTML page can be entered at by its ID. A terminal has a line of it.
type Section struct{ ID, Title string }

// Gap is an empty line on a terminal.
type Gap struct{}
