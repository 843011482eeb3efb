package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/specs/lab"
)

// event is a line of `go test -json` (go doc test2json).
type event struct {
	Action, Package, Test, Output string
}

// testOf names a test of a package; the package's own output has no name.
type testOf struct{ pkg, test string }

// reader prints what go test would print, and collects what is missed.
type reader struct {
	to      io.Writer
	verbose bool

	output map[testOf]*strings.Builder // of tests under way
	missed []miss
}

// miss is a criterion and the package whose specs miss it.
type miss struct {
	pkg string
	lab.Missed
}

// read reads all events. Lines that are none are printed as they are.
func (r *reader) read(events io.Reader) error {
	r.output = map[testOf]*strings.Builder{}
	for lines := bufio.NewReader(events); ; {
		line, err := lines.ReadString('\n')
		var e event
		if parsed := json.Unmarshal([]byte(line), &e); parsed != nil {
			fmt.Fprint(r.to, line)
		} else {
			r.take(e)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *reader) take(e event) {
	of := testOf{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.to, e.Output)
	case "output":
		r.note(e)
		if r.verbose || e.Test == "" && isResult(e.Output) {
			fmt.Fprint(r.to, e.Output)
			break
		}
		if r.output[of] == nil {
			r.output[of] = &strings.Builder{}
		}
		r.output[of].WriteString(e.Output)
	case "fail":
		if kept := r.output[of]; kept != nil {
			fmt.Fprint(r.to, kept)
		}
		delete(r.output, of)
	case "pass", "skip":
		delete(r.output, of)
	}
}

// isResult reports whether a line is what go test prints of each package.
func isResult(line string) bool {
	for _, word := range []string{"ok  \t", "FAIL\t", "?   \t"} {
		if strings.HasPrefix(line, word) {
			return true
		}
	}
	return false
}

// note collects a criterion that is missed.
func (r *reader) note(e event) {
	_, text, ok := strings.Cut(e.Output, lab.MissMark)
	m := miss{pkg: e.Package}
	if ok && json.Unmarshal([]byte(text), &m.Missed) == nil {
		r.missed = append(r.missed, m)
	}
}

// summary lists what is missed, by package and spec, and counts it in the last
// line.
func (r *reader) summary() {
	slices.SortStableFunc(r.missed, func(a, b miss) int { return strings.Compare(a.pkg, b.pkg) })
	var last miss
	for _, m := range r.missed {
		if m.pkg != last.pkg {
			fmt.Fprintf(r.to, "\n%s misses:\n", m.pkg)
			last.Spec = ""
		}
		if m.Spec != last.Spec {
			fmt.Fprintf(r.to, "- %s:\n", m.Spec)
		}
		last = m
		line := "  " + m.What
		if m.Why != "" {
			line += ", because " + m.Why
		}
		fmt.Fprintln(r.to, line)
	}
	fmt.Fprintf(r.to, "\nmissed criteria: %d\n", len(r.missed))
}
