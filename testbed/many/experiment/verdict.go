package experiment

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// inks are the colours of verdicts.
var inks = map[result.Status]page.Ink{
	result.Pass:        page.Green,
	result.Amber:       page.Yellow,
	result.Failed:      page.Red,
	result.Void:        page.Yellow,
	result.Interrupted: page.Yellow,
	result.Red:         page.Alarm,
}

// VerdictLine is a line that a verdict begins, with what else there is to say.
func VerdictLine(s result.Status, format string, args ...any) page.Line {
	return page.Line{Word: strings.ToUpper(s.String()), Ink: inks[s], Text: fmt.Sprintf(format, args...)}
}

// NoteLine is a line like VerdictLine's that no verdict begins.
func NoteLine(word, format string, args ...any) page.Line {
	return page.Line{Word: word, Text: fmt.Sprintf(format, args...)}
}

// mostNotRun bounds the names of runs that were not run; the rest is counted.
const mostNotRun = 10

// NotRunLines are the line that names the runs that an interruption left no
// time for, and none if there are no such runs.
func NotRunLines(names []string) []page.Line {
	if len(names) == 0 {
		return nil
	}
	more := ""
	if n := len(names) - mostNotRun; n > 0 {
		names, more = names[:mostNotRun], fmt.Sprintf(", and %d more", n)
	}
	return []page.Line{NoteLine("NOT RUN", "%s%s", strings.Join(names, ", "), more)}
}
