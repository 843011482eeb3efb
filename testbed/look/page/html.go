package page

import (
	_ "embed"
	"html/template"
	"io"
	"strings"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

//go:embed document.html
var documentText string

var documentTemplate = template.Must(template.New("document").
	Funcs(template.FuncMap{"spans": spans}).Parse(asset.Head + documentText))

// writeHTML writes the document as one file that needs nothing else.
func (d *Document) writeHTML(w io.Writer) error {
	of := struct {
		Title, Kind, Policy string
		Style               template.HTML
		Facts               []string
		Blocks              []template.HTML
	}{
		Title:  d.Title,
		Kind:   d.Kind,
		Facts:  d.Facts,
		Policy: "default-src 'none'; style-src " + asset.Source(asset.Style) + "; base-uri 'none'; form-action 'none'",
		Style:  template.HTML("<style>" + asset.Style + "</style>"),
	}
	for _, block := range d.Blocks {
		if part := block.html(); part != "" {
			of.Blocks = append(of.Blocks, part)
		}
	}
	var b strings.Builder
	if err := documentTemplate.Execute(&b, of); err != nil {
		return err
	}
	_, err := io.WriteString(w, terminal.Text(strings.TrimSpace(b.String()))+"\n") // it may be shown as it is
	return err
}

// classes are the inks in the style sheet.
var classes = [...]string{
	Plain:  "",
	Green:  "pass",
	Yellow: "amber",
	Red:    "failed",
	Alarm:  "red",
}

// span is a part of a text: what stands between two backticks is code.
type span struct {
	Text string
	Code bool
}

// spans are the parts of a text. A backtick without a partner stays one.
func spans(text string) (list []span) {
	for {
		before, rest, opened := strings.Cut(text, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !opened || !closed {
			return append(list, span{Text: text})
		}
		list, text = append(list, span{Text: before}, span{code, true}), after
	}
}

// part executes one of the templates of a block.
func part(name string, of any) template.HTML {
	var b strings.Builder
	if err := documentTemplate.ExecuteTemplate(&b, name, of); err != nil {
		panic(err) // a template of our own and a value of a type of this package
	}
	return template.HTML(b.String())
}

func (l Line) html() template.HTML {
	return part("line", struct{ Class, Word, Text string }{classes[l.Ink], l.Word, l.Text})
}

func (text Paragraph) html() template.HTML { return part("paragraph", string(text)) }

func (t *Table) html() template.HTML { return part("grid", t) }

// Notes are the lines below the table in HTML.
func (t *Table) Notes() []string { return t.notes("bold: ") }

func (d Picture) html() template.HTML {
	if d.Element == "" {
		return ""
	}
	return part("picture", d)
}

func (l Listing) html() template.HTML { return part("listing", string(l)) }

func (s Section) html() template.HTML { return part("section", s) }

func (Gap) html() template.HTML { return "" }
