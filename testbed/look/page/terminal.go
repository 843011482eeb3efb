package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Indent is the indentation of the later lines of a paragraph, wordWidth the width of the word that begins a Line.
const (
	Indent    = 4
	wordWidth = 11
)

// inks are the colours of a terminal.
var inks = [...]text.Colors{
	Green:  {text.FgGreen, text.Bold},
	Yellow: {text.FgYellow, text.Bold},
	Red:    {text.FgRed, text.Bold},
	Alarm:  {text.BgRed, text.FgWhite, text.Bold},
}

func (d *Document) writeTerminal(w io.Writer, p Page) error {
	var b strings.Builder
	for _, block := range d.Blocks {
		text := block.terminal(p)
		if _, isGap := block.(Gap); isGap || text != "" {
			b.WriteString(p.plain(text) + "\n")
		}
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// plain replaces the signs that a page of ASCII lacks.
func (p Page) plain(text string) string {
	if !p.Plain {
		return text
	}
	return strings.NewReplacer("\u2264", "<=", "\u2265", ">=").Replace(text)
}

// String is the line without colours and folds.
func (l Line) String() string { return fmt.Sprintf("%-*s %s", wordWidth, l.Word, l.Text) }

func (l Line) terminal(p Page) string {
	word := fmt.Sprintf("%-*s", wordWidth, l.Word)
	if p.Colour && l.Ink != Plain {
		// The library guesses whether there is a terminal; the page knows.
		word = inks[l.Ink].EscapeSeq() + word + text.EscapeReset
	}
	return p.Fold(word+" "+l.Text, wordWidth+1)
}

func (text Paragraph) terminal(p Page) string { return p.Fold(string(text), Indent) }

func (t *Table) terminal(p Page) string {
	text := p.Render(t)
	if t.Caption != "" {
		text = p.Fold(t.Caption, Indent) + "\n" + text
	}
	for _, note := range t.notes("* ") {
		text += "\n" + p.Fold(note, Indent)
	}
	return text
}

func (d Picture) terminal(p Page) string {
	if d.Lines == nil {
		return ""
	}
	return strings.Join(d.Lines(p), "\n")
}

func (l Listing) terminal(Page) string { return strings.TrimSuffix(string(l), "\n") }

func (s Section) terminal(p Page) string { return "\n" + p.Fold(s.Title, Indent) }

func (Gap) terminal(Page) string { return "" }
