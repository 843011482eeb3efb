package page

import (
	"io"
	"strings"
)

// writeMarkdown writes the document for a page that shows Markdown, such as a job's summary.
func (d *Document) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	if d.Title != "" {
		b.WriteString("### " + unbroken(d.Title) + "\n\n")
	}
	inList := false
	for _, block := range d.Blocks {
		text := block.markdown()
		if text == "" {
			continue
		}
		_, isItem := block.(Line)
		if inList && !isItem {
			b.WriteString("\n")
		}
		inList = isItem
		b.WriteString(text + "\n")
		if !isItem {
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// unbroken returns a text without runs of spaces and ends of lines, and without anything that a viewer obeys: names in
// it are from outside.
func unbroken(text string) string { return Page{}.Fold(strings.Join(strings.Fields(text), " "), 0) }

func (l Line) markdown() string {
	return "- " + unbroken(strings.TrimSpace(l.Word+" "+l.Text))
}

func (text Paragraph) markdown() string { return unbroken(string(text)) }

func (t *Table) markdown() string {
	text := t.Markdown()
	if t.Caption != "" {
		text = unbroken(t.Caption) + "\n\n" + text
	}
	for _, note := range t.notes("bold: ") {
		text += "\n\n" + unbroken(note)
	}
	return text
}

func (Picture) markdown() string { return "" }

func (l Listing) markdown() string {
	return "```text\n" + strings.TrimSuffix(string(l), "\n") + "\n```"
}

func (s Section) markdown() string { return "#### " + unbroken(s.Title) }

func (Gap) markdown() string { return "" }
