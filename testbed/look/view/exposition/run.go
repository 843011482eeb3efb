package exposition

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// Run is the state of a run.
type Run struct {
	// Folder is the name of its run folder, the label run. The others are labels of the same
	// names; Seed is a number in digits.
	Folder, Variant, Seed, Runner, Scenario, Algorithm string
	// Verdict is one word, as result.Status prints it; another is left out.
	Verdict string
	// Readings are numbers by the names that summary.json, flows.csv and live.ndjson give them.
	Readings map[string]float64
	// Queues are the longest queues of ports at this moment.
	Queues []progressfile.Queue
}

// Labels are the names of the labels of every sample of a run, in their order.
var Labels = []string{"run", "variant", "seed", "runner", "scenario", "algorithm"}

// labels prints the run's labels.
func (r *Run) labels() string {
	var text strings.Builder
	for i, value := range []string{r.Folder, r.Variant, r.Seed, r.Runner, r.Scenario, r.Algorithm} {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(label(Labels[i], value))
	}
	return text.String()
}

// verdict returns the word of the verdict, "" if it is not one.
func (r *Run) verdict() string {
	word, _, _ := strings.Cut(strings.ToLower(r.Verdict), " ")
	for status := result.Pass; status <= result.Red; status++ {
		if strings.Trim(word, ":;,") == status.String() {
			return status.String()
		}
	}
	return ""
}

// longestLabel is the maximum number of characters of a label's value: names come from folders.
const longestLabel = 128

// label prints a label. Characters that are not text, or would move the cursor of a terminal, are replaced.
func label(name, value string) string {
	var text strings.Builder
	text.WriteString(name + `="`)
	kept := 0
	for _, c := range value {
		if kept++; kept > longestLabel {
			text.WriteRune('…')
			break
		}
		switch {
		case c == '\\' || c == '"':
			text.WriteRune('\\')
			text.WriteRune(c)
		case c == '\n':
			text.WriteString(`\n`)
		case unicode.IsControl(c):
			text.WriteRune(utf8.RuneError)
		default:
			text.WriteRune(c) // a byte that is no UTF-8 comes as utf8.RuneError
		}
	}
	text.WriteByte('"')
	return text.String()
}

// labelled is a run with its labels as they are printed.
type labelled struct {
	*Run
	text string
}

// inOrder returns runs in the order of their labels. Among several with the same labels the first is kept, for
// Prometheus never takes a sample twice.
func inOrder(runs []Run) []labelled {
	found := map[string]labelled{}
	for i := range runs {
		text := runs[i].labels()
		if _, there := found[text]; !there {
			found[text] = labelled{&runs[i], text}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b labelled) int { return cmp.Compare(a.text, b.text) })
}
