// Package terminal makes text from outside fit to be shown: names of files, of nodes and of plugins, output of plugins,
// contents of files. A terminal obeys control characters in such a text, and could be made to hide a verdict, to write
// another over it, or worse. Every terminal shows the returned text and obeys nothing in it. It also rounds times that
// are guesses.
package terminal

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Text returns text of one or several lines with every character that is not shown
// written as Go writes it in quotes: \x1b, \u202e, \x9b. Newlines and tabs stay.
// Letters of all scripts stay too.
func Text(text string) string {
	return shown(text, func(c rune) bool { return c == '\n' || c == '\t' || strconv.IsPrint(c) })
}

// Line is Text for a text that must stay on its line: a newline is written as \n, a tab as \t. It is for words in
// output: a name, a path, a cell of a table.
func Line(text string) string { return shown(text, strconv.IsPrint) }

// shown returns text with all but the allowed characters escaped; text itself if there
// are none.
func shown(text string, allowed func(rune) bool) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		if c == utf8.RuneError && size == 1 || !allowed(c) {
			quoted := strconv.Quote(text[i : i+size])
			out.WriteString(text[done:i])
			out.WriteString(quoted[1 : len(quoted)-1])
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// Rounded keeps of a time only as many digits as an estimate of it is worth: it is for words in output.
func Rounded(d time.Duration) time.Duration {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond)
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}
