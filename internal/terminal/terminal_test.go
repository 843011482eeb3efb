package terminal

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// What a terminal would obey is written out.
func TestText(t *testing.T) {
	for text, want := range map[string][2]string{
		"":                          {"", ""},
		"plain words, 100 %":        {"plain words, 100 %", "plain words, 100 %"},
		"Zürich 東京 5 µs":            {"Zürich 東京 5 µs", "Zürich 東京 5 µs"},
		"\x1b[2Jgone":               {`\x1b[2Jgone`, `\x1b[2Jgone`},
		"a\x1b]0;title\x07b":        {`a\x1b]0;title\ab`, `a\x1b]0;title\ab`},
		"over\rwritten\b":           {`over\rwritten\b`, `over\rwritten\b`},
		"two\nlines\tand a tab":     {"two\nlines\tand a tab", `two\nlines\tand a tab`},
		"C1 \u009b31m":              {`C1 \u009b31m`, `C1 \u009b31m`},
		"one byte \x9b31m, \xff":    {`one byte \x9b31m, \xff`, `one byte \x9b31m, \xff`},
		"turned \u202egnp.exe":      {`turned \u202egnp.exe`, `turned \u202egnp.exe`},
		"zero\u200bwidth, \ufeffed": {`zero\u200bwidth, \ufeffed`, `zero\u200bwidth, \ufeffed`},
		"del \x7f nul \x00":         {`del \x7f nul \x00`, `del \x7f nul \x00`},
		`back\slash "quoted"`:       {`back\slash "quoted"`, `back\slash "quoted"`},
		"a replacement: \ufffd":     {"a replacement: \ufffd", "a replacement: \ufffd"},
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := Text(text); got != want[0] {
				t.Errorf("Text(%q) is %q, want %q", text, got, want[0])
			}
			if got := Line(text); got != want[1] {
				t.Errorf("Line(%q) is %q, want %q", text, got, want[1])
			}
		})
	}
}

// For any input, the output has nothing that a terminal obeys, and a second pass changes nothing.
func FuzzText(f *testing.F) {
	f.Add("\x1b[31mred\x9b\u202e\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		obeyed := func(c rune) bool { return unicode.IsControl(c) || unicode.Is(unicode.Cf, c) }
		line := Line(text)
		if strings.ContainsFunc(line, obeyed) || Line(line) != line {
			t.Errorf("Line(%q) is %q", text, line)
		}
		lines := Text(text)
		if strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(lines), obeyed) || Text(lines) != lines {
			t.Errorf("Text(%q) is %q", text, lines)
		}
	})
}
