package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A line is folded between words, keeps words wider than the page, and is never wider than prose may be.
func TestFold(t *testing.T) {
	for _, c := range []struct {
		width, indent int
		line, want    string
	}{
		{20, 4, "short", "short"},
		{20, 4, "PASS        a: seven of eight", "PASS        a: seven\n    of eight"},
		{10, 2, "run folder: /a/path/of/some/length", "run\n  folder:\n  /a/path/of/some/length"},
		{0, 4, strings.Repeat("x ", 99), strings.Repeat("x ", 99)},
		{12, 2, "\x1b[1mone two\x1b[0m three", "\x1b[1mone two\x1b[0m\n  three"},
		{200, 0, strings.Repeat("abcd ", 20) + "e", strings.Repeat("abcd ", 19) + "abcd\ne"},
	} {
		if got := (Page{Width: c.width, Colour: true}).Fold(c.line, c.indent); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}

// What comes from outside is shown and not obeyed, in lines and in tables.
func TestNothingIsObeyed(t *testing.T) {
	const bad = "x\x1b[2Jy\u202ez\r\n"
	const shown = `x\x1b[2Jy\u202ez\r\n`
	for _, c := range []struct {
		page       Page
		line, want string
	}{
		{Page{}, "a: " + bad, "a: " + shown},
		{Page{Width: 9}, "\x1b[1mPASS\x1b[0m " + bad, `\x1b[1mPASS\x1b[0m` + "\n" + shown},
		{Page{Colour: true}, "\x1b[1mPASS  \x1b[0m a: " + bad, "\x1b[1mPASS  \x1b[0m a: " + shown},
		{Page{Colour: true}, "a: \x1b[1mPASS\x1b[0m", `a: \x1b[1mPASS\x1b[0m`},
		{Page{Colour: true}, "\x1b[1m\x1b[2J\x1b[0m", `\x1b[1m\x1b[2J\x1b[0m`},
	} {
		t.Run(fmt.Sprintf("%.50q", c.line), func(t *testing.T) {
			if got := c.page.Fold(c.line, 0); got != c.want {
				t.Errorf("%q on %v: %q, want %q", c.line, c.page, got, c.want)
			}
		})
	}
	table := New("m", bad)
	table.Add(bad, bad)
	table.Rows[0][1].Detail = bad
	want := "| m | " + shown + " |\n| --- | --- |\n| " + shown + " | " + shown + " " + shown + " |"
	if got := table.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := (Page{}).Render(table); strings.Count(got, shown) != 4 || strings.ContainsAny(got, "\x1b\r\u202e") {
		t.Errorf("got\n%s", got)
	}
}

func TestShares(t *testing.T) {
	for share, want := range map[float64]string{0.125: "12.5 %", 10: "1000 %", 10.5: "x 10.5", 3350: "x 3350"} {
		t.Run(fmt.Sprintf("share=%v", share), func(t *testing.T) {
			if got := Percent(share); got != want {
				t.Errorf("%v: %q, want %q", share, got, want)
			}
		})
	}
	for share, want := range map[float64]string{0.125: "+12.5 %", -0.5: "-50.0 %", 33: "x 34.0", 3350: "x 3351"} {
		t.Run(fmt.Sprintf("share=%v", share), func(t *testing.T) {
			if got := Change(share); got != want {
				t.Errorf("%v: %q, want %q", share, got, want)
			}
		})
	}
}

// example has two columns of ten and details of ten, 45 columns in all.
func example() *Table {
	c := &Table{Columns: []Column{{Title: "metric", Left: true}, {Title: "a"}, {Title: "b"}}, Details: "details"}
	c.Rows = [][]Cell{
		{{Text: "one"}, {Text: "1234567.00", Detail: "[1..2.0.0]"}, {Text: "5", Best: true}},
		{{Text: "two"}, {Text: "7"}, {Text: "7654321.00"}},
	}
	return c
}

// What does not fit sheds its details first, then is turned, then folded.
func TestRender(t *testing.T) {
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, `
┌────────┬───────────────────────┬────────────┐
│ metric │                     a │          b │
├────────┼───────────────────────┼────────────┤
│ one    │ 1234567.00 [1..2.0.0] │        * 5 │
│ two    │                     7 │ 7654321.00 │
└────────┴───────────────────────┴────────────┘`},
		{40, `
┌────────┬────────────┬────────────┐
│ metric │          a │          b │
├────────┼────────────┼────────────┤
│ one    │ 1234567.00 │        * 5 │
│ two    │          7 │ 7654321.00 │
└────────┴────────────┴────────────┘

details
┌────────┬────────────┐
│ metric │          a │
├────────┼────────────┤
│ one    │ [1..2.0.0] │
└────────┴────────────┘`},
		{25, `
┌────────┬────────────┐
│ metric │          a │
├────────┼────────────┤
│ one    │ 1234567.00 │
│ two    │          7 │
└────────┴────────────┘
┌────────┬────────────┐
│ metric │          b │
├────────┼────────────┤
│ one    │        * 5 │
│ two    │ 7654321.00 │
└────────┴────────────┘

details
┌────────┬────────────┐
│ metric │          a │
├────────┼────────────┤
│ one    │ [1..2.0.0] │
└────────┴────────────┘`},
		{18, `
┌────────┬───────┐
│ metric │     a │
├────────┼───────┤
│ one    │ 12345 │
│        │ 67.00 │
│ two    │     7 │
└────────┴───────┘
┌────────┬───────┐
│ metric │     b │
├────────┼───────┤
│ one    │   * 5 │
│ two    │ 76543 │
│        │ 21.00 │
└────────┴───────┘

details
┌────────┬───────┐
│ metric │     a │
├────────┼───────┤
│ one    │ [1..2 │
│        │ .0.0] │
└────────┴───────┘`},
	} {
		t.Run(fmt.Sprintf("width=%v", c.width), func(t *testing.T) {
			if got := (Page{Width: c.width}).Render(example()); "\n"+got != c.want {
				t.Errorf("at %d: got\n%s\nwant%s", c.width, got, c.want)
			}
		})
	}
	if got := (Page{Colour: true}).Render(example()); !strings.Contains(got, "│        \x1b[1m* 5\x1b[0m │") {
		t.Errorf("the best is not bold in\n%s", got)
	}
	if got := example().Markdown(); got != "| metric | a | b |\n| --- | ---:| ---:|\n"+
		"| one | 1234567.00 [1..2.0.0] | **5** |\n| two | 7 | 7654321.00 |" {
		t.Errorf("%q", got)
	}
}

// A column that belongs to the one before stays with it.
func TestJoinedColumns(t *testing.T) {
	c := New("m", "aaaaaaaa", "bbbbbbbb", "printed")
	c.Columns[3].Joined = true
	c.Add("one long name", 1, 2, 3)
	c.Add("another name", 1, 2, 3)
	const width = 39
	got := Page{Width: width}.Render(c)
	if !strings.Contains(got, "┐\n│ m             │ bbbbbbbb │ printed │\n") {
		t.Errorf("got\n%s", got)
	}
	for line := range strings.Lines(got) {
		if w := text.StringWidthWithoutEscSequences(strings.TrimSpace(line)); w > width {
			t.Errorf("%d columns: %s", w, line)
		}
	}
}

// One table with rows and columns exchanged is better than two, however many
// lines it has.
func TestManyColumnsOfFewRows(t *testing.T) {
	c := New("m", "a", "b", "c", "d", "e", "f", "g")
	c.Columns[0].Left = true
	c.Add("x", 1, 2, 3, 4, 5, 6, 7)
	want := "┌───┬───┐\n│ m │ x │\n├───┼───┤\n" +
		"│ a │ 1 │\n│ b │ 2 │\n│ c │ 3 │\n│ d │ 4 │\n│ e │ 5 │\n│ f │ 6 │\n│ g │ 7 │\n└───┴───┘"
	if got := (Page{Width: 25}).Render(c); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
