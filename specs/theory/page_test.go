package theory

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

var rewrite = flag.Bool("rewrite", false, "write the rows that ran to docs/theory.md")

const page = "../../docs/theory.md"

// subjects are the tables of the page.
var subjects = []struct {
	name string
	// of begins the sentences of the rows.
	of   string
	rows []*row
}{
	{"fixed points", "a fixed point", fixedPoints},
	{"queues", "a queue", queueing},
	{"shares", "a share", shares},
	{"flow control", "flow control", flowControl},
	{"collectives", "a collective", collectives},
	{"chance and loss", "chance and loss", losses},
}

const (
	head = "| row | of | predicted | measured | error | allowed | source | why |\n|---|---|---|---|---|---|---|---|\n"
	end  = "<!-- end of rows -->\n"
)

func begin(subject string) string { return "<!-- rows: " + subject + " -->\n" }

// frozen is the part of a row's line that does not need a run, before and behind what does.
func (r *row) frozen() (before, behind string) {
	allowed := fmt.Sprintf("%.3g %%", 100*r.tolerance)
	if r.least {
		allowed = "0 to " + allowed
	}
	before = fmt.Sprintf("| %s | %s | %.4g |", r.name, r.of, r.predicted())
	return before, fmt.Sprintf(" %s | %s | %s |\n", allowed, r.source, r.reason())
}

// line is the row's line on the page.
func (o *outcome) line() string {
	before, behind := o.frozen()
	verdict := ""
	if !o.fits() {
		verdict = ", **misses**"
	}
	return fmt.Sprintf("%s %.4g | %+.2f %%%s |%s", before, o.got, 100*o.error(), verdict, behind)
}

// pageProblems are the differences between the page and the rows: the line of each that ran, and the frozen parts of
// the others.
func pageProblems() (problems []string) {
	text, err := os.ReadFile(page)
	if err != nil {
		return []string{err.Error()}
	}
	for _, s := range subjects {
		_, table, _ := strings.Cut(string(text), begin(s.name))
		table, _, _ = strings.Cut(table, end)
		if lines := strings.Count(table, "\n"); lines != len(s.rows)+2 {
			problems = append(problems, fmt.Sprintf("%s: %d lines for %d rows", s.name, lines, len(s.rows)))
		}
		for _, r := range s.rows {
			if o := outcomes[r.name]; o != nil && !strings.Contains(table, o.line()) {
				problems = append(problems, "the page lacks: "+o.line())
			}
			before, behind := r.frozen()
			if !strings.Contains(table, before) || !strings.Contains(table, behind) {
				problems = append(problems, "the page lacks: "+before+" ... |"+behind)
			}
		}
	}
	return problems
}

// writePage puts the rows that ran onto the page, and keeps the lines of the others.
func writePage() error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for _, s := range subjects {
		before, rest, found := strings.Cut(string(text), begin(s.name))
		old, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			return fmt.Errorf("%s has no place for the rows of %s", page, s.name)
		}
		table := head
		for _, r := range s.rows {
			table += r.kept(old)
		}
		text = []byte(before + begin(s.name) + table + end + after)
	}
	return os.WriteFile(page, text, 0o644)
}

// kept is the row's line: of its outcome, else as the old table has it, else without figures of a run.
func (r *row) kept(old string) string {
	if o := outcomes[r.name]; o != nil {
		return o.line()
	}
	before, behind := r.frozen()
	for line := range strings.Lines(old) {
		if strings.HasPrefix(line, before) && strings.HasSuffix(line, behind) {
			return line
		}
	}
	return before + " | |" + behind
}
