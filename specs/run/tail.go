package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Of what a package that fails has printed outside of tests that ended, and in tests that
// did not end, the last tailLines lines are printed: there is why it failed if no test did.
// Where the program broke down, or ran out of time, the reason is at the head of long
// stacks: headLines lines from there on are printed as well.
const (
	tailLines = 100
	headLines = 30
)

// printRest prints what is kept of a package, and leaves nothing.
func (r *reader) printRest(pkg string) {
	var rest []keptLine
	for of, lines := range r.kept {
		if of.pkg == pkg {
			rest = append(rest, lines...)
			delete(r.kept, of)
		}
	}
	slices.SortFunc(rest, func(a, b keptLine) int { return cmp.Compare(a.number, b.number) })
	var text strings.Builder
	for _, line := range rest {
		text.WriteString(line.text)
	}
	fmt.Fprint(r.to, tail(text.String()))
}

// tail is the end of an output, and the beginning of what ended it; a line in place of what is
// left out counts that.
func tail(output string) string {
	lines := slices.Collect(strings.Lines(output))
	last := max(0, len(lines)-tailLines)
	var b strings.Builder
	leaveOut := func(n int) {
		if n > 0 {
			fmt.Fprintf(&b, "... %d lines left out; -v prints all\n", n)
		}
	}
	from := 0
	if head := slices.IndexFunc(lines, breaksDown); head >= 0 && head < last {
		leaveOut(head)
		from = min(head+headLines, last)
		b.WriteString(strings.Join(lines[head:from], ""))
	}
	leaveOut(last - from)
	b.WriteString(strings.Join(lines[last:], ""))
	return b.String()
}

// breaksDown reports whether Go's runtime begins to say with this line why it ends a program.
func breaksDown(line string) bool {
	for _, word := range []string{"panic: ", "fatal error: ", "SIGQUIT: ", "SIGSEGV: ", "SIGABRT: "} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}
