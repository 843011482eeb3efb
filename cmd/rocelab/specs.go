package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/specs/acceptance"
)

// words are the outcomes as verdicts spell them.
var words = map[acceptance.Outcome]string{acceptance.Met: "PASS", acceptance.Missed: "FAILED", acceptance.Skipped: "SKIPPED", acceptance.NotRun: "NOT RUN"}

var wordColours = map[acceptance.Outcome]text.Colors{acceptance.Met: {text.FgGreen, text.Bold}, acceptance.Missed: {text.FgRed, text.Bold},
	acceptance.Skipped: {text.FgYellow}, acceptance.NotRun: {text.FgYellow}}

// printSpecs prints the verdict, and then each spec with what was measured.
func printSpecs(w io.Writer, title string, r *acceptance.Result, colour bool) error {
	word := func(o acceptance.Outcome) string {
		s := fmt.Sprintf("%-11s", words[o])
		if colour {
			return wordColours[o].EscapeSeq() + s + text.EscapeReset
		}
		return s
	}
	counts := map[acceptance.Outcome]int{}
	for _, s := range r.Specs {
		counts[s.Outcome]++
	}
	verdict := acceptance.Met
	switch {
	case counts[acceptance.Missed] > 0:
		verdict = acceptance.Missed
	case counts[acceptance.NotRun] > 0:
		verdict = acceptance.NotRun
	case counts[acceptance.Met] == 0:
		verdict = acceptance.Skipped
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %d of %d specs pass", word(verdict), title, counts[acceptance.Met], len(r.Specs))
	for _, o := range []acceptance.Outcome{acceptance.Missed, acceptance.Skipped, acceptance.NotRun} {
		if n := counts[o]; n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, strings.ToLower(words[o]))
		}
	}
	b.WriteString("\n\n")
	for _, s := range r.Specs {
		fmt.Fprintf(&b, "%s %s\n", word(s.Outcome), s.Text)
		for _, more := range []string{s.Why, s.Figure} {
			if more != "" {
				b.WriteString(strings.Repeat(" ", 12) + strings.ReplaceAll(more, "\n", "\n"+strings.Repeat(" ", 12)) + "\n")
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// printList prints the specs and their labels.
func (f *testFlags) printList(w io.Writer) error {
	r, err := acceptance.List(acceptance.Config{Subjects: []*acceptance.Subject{{Title: "an algorithm"}}, Filter: f.label})
	if err != nil {
		return usage(fmt.Errorf("--label: %w", err))
	}
	t := newTable("labels", "spec")
	for _, spec := range r.Specs {
		t.AppendRow([]any{strings.Join(spec.Labels, ", "), spec.Text})
	}
	_, err = fmt.Fprintln(w, t.Render())
	return host(err)
}
