package page

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
	"testing"
)

const bad = "a\x1b[2J<b>|c"

// document has a block of each kind, with text from outside in each.
func document() *Document {
	t := New("metric", bad)
	t.Rows = append(t.Rows, []Cell{{Text: "fct"}, {Text: "14.08 ms", Value: 14077.612, Detail: "[13..15]", Best: true}})
	t.Columns[0].Left, t.Columns[1].Key, t.Columns[1].Doc = true, "fct_us", "Completion time."
	t.Caption, t.Best, t.Signs, t.LeftOut = "A table", "best of its row", "\u2264 at most that", "nothing is left out"
	d := &Document{Title: "one " + bad, Kind: "run", Facts: []string{bad}}
	d.Add(Line{Word: "PASS", Ink: Green, Text: bad}, Gap{}, Paragraph("it ends "+bad), t,
		Picture{Title: "queue", Lines: func(Page) []string { return []string{"|##|"} }},
		Picture{Title: bad, Element: template.HTML("<svg></svg>")},
		Section{ID: "more", Title: "More"}, Listing("x  y\n  z\n"))
	return d
}

func printed(t *testing.T, d *Document, f Format, p Page) string {
	t.Helper()
	var b strings.Builder
	if err := d.Print(&b, f, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// One document is printed in five formats, and each has all that a format can have. A terminal does not obey any text
// from outside, and HTML has it as text. Tier: -short, as all of this file.
func TestEveryFormatOfADocument(t *testing.T) {
	d := document()
	for format, want := range map[Format][]string{
		FormatTable: {"PASS        a", "\n\nit ends", "A table\n┌", "* 14.08 ms [13..15]",
			"* best of its row; <= at most that", "\nnothing is left out\n", "\n|##|\n", "\n\nMore\n", "\nx  y\n  z\n"},
		FormatMarkdown: {"### one ", "- PASS a", "\n\nit ends", "| **14.08 ms** [13..15] |", "bold: best of its row",
			"#### More", "```text\nx  y\n  z\n```"},
		FormatHTML: {"<!doctype html>", ": rocelab run</title>", `<b class="verdict pass">PASS</b>`, "&lt;b&gt;",
			"<svg></svg>", "<caption>A table</caption>", "<b>14.08 ms</b> [13..15]", `title="Completion time."`,
			`<h2 id="more">More</h2>`,
			"<pre>x  y\n  z\n</pre>"},
		FormatJSON: {`"word": "PASS"`, `"fct_us": 14077.612`, `"metric": "fct"`},
		FormatCSV:  {"metric,fct_us\nfct,14077.612\n"},
	} {
		t.Run(string(format), func(t *testing.T) {
			text := printed(t, d, format, Page{Width: 80, Plain: true})
			for _, words := range want {
				if !strings.Contains(text, words) {
					t.Errorf("%s: no %q in\n%s", format, words, text)
				}
			}
			if strings.Contains(text, "\x1b") {
				t.Errorf("%s: a terminal would obey %q", format, text)
			}
			if format == FormatHTML && strings.Contains(text, "<b>|c") {
				t.Errorf("text is markup:\n%s", text)
			}
		})
	}
	var read any
	if err := json.Unmarshal([]byte(printed(t, d, FormatJSON, Page{})), &read); err != nil {
		t.Error(err)
	}
}

// A record is for programs, independent of the tables, and rows are the content of CSV.
func TestProgramsReadTheRecord(t *testing.T) {
	d := document()
	d.Record = map[string]int{"runs": 2}
	if text := printed(t, d, FormatJSON, Page{}); text != "{\n  \"runs\": 2\n}\n" {
		t.Error(text)
	}
	if text := printed(t, d, FormatCSV, Page{}); text != "runs\n2\n" {
		t.Error(text)
	}
	d.Rows = [][]string{{"a", "b"}, {"1", ""}}
	rows, err := csv.NewReader(strings.NewReader(printed(t, d, FormatCSV, Page{}))).ReadAll()
	if err != nil || len(rows) != 2 || rows[0][0] != "a" {
		t.Error(rows, err)
	}
}

// The word of a line has its colour if the page knows colours.
func TestInks(t *testing.T) {
	text := printed(t, document(), FormatTable, Page{Width: 80, Colour: true})
	if !strings.HasPrefix(text, "\x1b[32;1mPASS       \x1b[0m a") {
		t.Errorf("%q", text[:40])
	}
}

// Columns of sentences share what the page leaves, and the last goes below the table if that is too little.
func TestSentencesInATable(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("word ", 30))
	table := New("check", "figure", "remark")
	table.Add("fairness", "1", words+"\n"+words)
	table.Columns[1].Prose, table.Columns[2].Prose = true, true
	for _, width := range []int{60, 80, 140} {
		t.Run(fmt.Sprintf("width=%v", width), func(t *testing.T) {
			text := Page{Width: width}.Render(table)
			for line := range strings.Lines(text) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
					t.Errorf("%d columns of %d: %s", n, width, line)
				}
			}
			if strings.Count(text, "word") != 60 {
				t.Errorf("%d: words are lost:\n%s", width, text)
			}
		})
	}
	if text := (Page{Width: 45}).Render(table); !strings.Contains(text, "\nfairness: word") {
		t.Errorf("the remark is not below:\n%s", text)
	}
}

// HTML of a command is never cut off: only the tables of a report are bounded. Sentences keep the ends of their lines
// and their code, and a document without facts has no line of them.
func TestHTMLIsWhole(t *testing.T) {
	table := New("check", "seen")
	table.Columns[0].Left, table.Columns[1].Prose = true, true
	table.Rows = [][]Cell{Text("memory", "much\nremedy: more")}
	d := &Document{Title: "This host", Kind: "doctor"}
	d.Add(table)
	d.Say("`rocelab a` explains <b>, and ` is one backtick")
	text := printed(t, d, FormatHTML, Page{})
	for _, words := range []string{`<div class="scroll" `, `<td class="prose">much` + "\n" + `remedy: more</td>`,
		"<p><code>rocelab a</code> explains &lt;b&gt;, and ` is one backtick</p>"} {
		t.Run(fmt.Sprintf("%q", words), func(t *testing.T) {
			if !strings.Contains(text, words) {
				t.Errorf("no %q in\n%s", words, text)
			}
		})
	}
	if strings.Contains(text, `class="facts"`) {
		t.Error("a line of facts without facts")
	}
	for rule := range strings.Lines(text) {
		bounds := strings.Contains(rule, "max-height") && !strings.Contains(rule, "max-height: none")
		if strings.Contains(rule, ".scroll") && !strings.Contains(rule, ".scroll.bound") && bounds {
			t.Errorf("tables are cut off: %s", rule)
		}
	}
	if !strings.Contains(text, ".document td:not(.n) { white-space: pre-line;") {
		t.Error("the ends of lines are lost")
	}
}

// Sentences in a table of Markdown keep the ends of their lines, and no end of a line is written as two characters.
func TestLinesInMarkdown(t *testing.T) {
	table := New("check", "seen")
	table.Columns[0].Left, table.Columns[1].Prose, table.Columns[1].Left = true, true, true
	table.Rows = [][]Cell{Text("memory", "much\nremedy: "+bad)}
	want := "| check | seen |\n| --- | --- |\n| memory | much<br/>remedy: a\\x1b[2J<b>\\|c |"
	if got := table.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
