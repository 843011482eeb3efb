package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/emulator/result"
)

// Format is how a report is printed.
type Format string

// The formats. A report need not have them all.
const (
	FormatTable    Format = "table"
	FormatJSON     Format = "json"
	FormatCSV      Format = "csv"
	FormatMarkdown Format = "markdown"
)

// ParseFormat reads the name of one of the formats that a report has.
func ParseFormat(s string, has ...Format) (Format, error) {
	if f := Format(s); slices.Contains(has, f) {
		return f, nil
	}
	var names []string
	for _, f := range has {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("%q is no format: allowed are %s", s, strings.Join(names, ", "))
}

var statusColours = map[result.Status]text.Colors{
	result.Pass:        {text.FgGreen, text.Bold},
	result.Amber:       {text.FgYellow, text.Bold},
	result.Failed:      {text.FgRed, text.Bold},
	result.Void:        {text.FgYellow, text.Bold},
	result.Interrupted: {text.FgYellow, text.Bold},
	result.Red:         {text.BgRed, text.FgWhite, text.Bold},
}

// VerdictLine is a line that a verdict begins: a word of a fixed width, in its
// colour where that is wanted, and what else there is to say.
func VerdictLine(s result.Status, colour bool, format string, args ...any) string {
	word := fmt.Sprintf(labelWidth, strings.ToUpper(s.String()))
	if colour {
		// The library guesses whether there is a terminal; the caller knows.
		word = statusColours[s].EscapeSeq() + word + text.EscapeReset
	}
	return word + " " + fmt.Sprintf(format, args...)
}

// labelWidth is the format of the word that begins a line above the tables;
// LabelIndent is where the rest begins.
const (
	labelWidth  = "%-11s"
	LabelIndent = 12
)

// NoteLine is a line like VerdictLine's that no verdict begins.
func NoteLine(word, format string, args ...any) string {
	return fmt.Sprintf(labelWidth, word) + " " + fmt.Sprintf(format, args...)
}

// mostNotRun bounds the names of runs that were not run; the rest is counted.
const mostNotRun = 10

// NotRunLines are the line that names the runs that an interruption left no
// time for, and none where there are no such runs.
func NotRunLines(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	more := ""
	if n := len(names) - mostNotRun; n > 0 {
		names, more = names[:mostNotRun], fmt.Sprintf(", and %d more", n)
	}
	return []string{NoteLine("NOT RUN", "%s%s", strings.Join(names, ", "), more)}
}
