package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/internal/patch"
)

// change are lines of a file, from the index at up to end, and the lines of a hunk for them.
type change struct {
	at, end int
	lines   []string
}

// rebase gives the hunks of a file's change the line numbers and the context of its present text. The context is one
// line, and more only if the old lines occurred several times with that. Hunks are placed by their line numbers with
// byNumber, else by their lines; it fails if these are not there exactly once.
func rebase(f *patch.File, text string, byNumber bool) error {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var changes []change
	for i := range f.Hunks {
		h := &f.Hunks[i]
		c, ok := place(h, lines, byNumber)
		if !ok {
			return fmt.Errorf("the lines that hunk %d removes, of line %d, are not there, or not once", i+1, h.Line)
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(a, b change) int { return a.at - b.at })
	for i := range changes[1:] {
		if changes[i+1].at < changes[i].end {
			return fmt.Errorf("two hunks change line %d", changes[i+1].at+1)
		}
	}
	f.Hunks = nil
	for len(changes) > 0 {
		c := changes[0].wider(lines)
		changes = changes[1:]
		for {
			if len(changes) > 0 && changes[0].at-1 <= c.end { // their contexts touch
				next := changes[0]
				c.lines = c.lines[:len(c.lines)-max(c.end-next.at, 0)]
				for _, l := range lines[min(c.end, next.at):next.at] {
					c.lines = append(c.lines, " "+l)
				}
				c = change{c.at, next.end, append(c.lines, next.lines...)}.below(lines)
				changes = changes[1:]
				continue
			}
			h := patch.Hunk{Line: c.at + 1, Lines: c.lines}
			if len(patch.Find(text, h.Old())) == 1 || c.at == 0 && c.end == len(lines) {
				f.Hunks = append(f.Hunks, h)
				break
			}
			c = c.wider(lines)
		}
	}
	return nil
}

// wider is the change with one more line of context on each side, as far as the file goes.
func (c change) wider(lines []string) change {
	if c.at > 0 {
		c.at--
		c.lines = append([]string{" " + lines[c.at]}, c.lines...)
	}
	return c.below(lines)
}

func (c change) below(lines []string) change {
	if c.end < len(lines) {
		c.lines = append(slices.Clone(c.lines), " "+lines[c.end])
		c.end++
	}
	return c
}

// place returns the change that a hunk makes, without the context around it, in the present file: at all its old lines,
// or at the ones without the context, or at these except for white space.
func place(h *patch.Hunk, lines []string, byNumber bool) (change, bool) {
	old, bare := only(h.Lines), trim(h.Lines)
	lead := slices.IndexFunc(h.Lines, func(l string) bool { return l[0] != ' ' })
	count := len(only(bare))
	switch {
	case lead < 0:
		return change{}, false
	case byNumber && len(old) == 0:
		return change{h.Line, h.Line, bare}, h.Line <= len(lines)
	case byNumber:
		return change{h.Line - 1 + lead, h.Line - 1 + lead + count, bare}, h.Line-1+len(old) <= len(lines)
	}
	same := func(a, b string) bool { return a == b }
	if found := find(lines, old, same); len(found) == 1 {
		return change{found[0] + lead, found[0] + lead + count, bare}, true
	}
	for _, alike := range []func(a, b string) bool{same, func(a, b string) bool {
		return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
	}} {
		found := find(lines, only(bare), alike)
		if count == 0 || len(found) != 1 {
			continue
		}
		next := found[0]
		for i, l := range bare { // the old lines as the file has them
			if l[0] != '+' {
				bare[i] = l[:1] + lines[next]
				next++
			}
		}
		return change{found[0], found[0] + count, bare}, true
	}
	return change{}, false
}

// only are the old lines of a hunk, as the file has them.
func only(lines []string) (old []string) {
	for _, l := range lines {
		if l[0] != '+' {
			old = append(old, l[1:])
		}
	}
	return old
}

// trim are the lines of a hunk without the context in front and behind.
func trim(lines []string) []string {
	for len(lines) > 0 && lines[0][0] == ' ' {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1][0] == ' ' {
		lines = lines[:len(lines)-1]
	}
	return slices.Clone(lines)
}

// find returns the indexes at which old lines are in a file.
func find(lines, old []string, alike func(a, b string) bool) (at []int) {
	for i := range len(lines) - len(old) + 1 {
		if slices.EqualFunc(lines[i:i+len(old)], old, alike) {
			at = append(at, i)
		}
	}
	return at
}

// text is a patch as a file.
func text(p *patch.Patch) string {
	var out strings.Builder
	out.WriteString(p.Header)
	if len(p.Files) > 0 {
		out.WriteString("\n")
	}
	for _, f := range p.Files {
		fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n", f.Name, f.Name)
		moved := 0
		for _, h := range f.Hunks {
			old, with := strings.Count(h.Old(), "\n"), strings.Count(h.With(), "\n")
			fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n%s\n", h.Line, old, h.Line+moved, with, strings.Join(h.Lines, "\n"))
			moved += with - old
		}
	}
	return out.String()
}
