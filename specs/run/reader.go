package main

import (
	"bufio"
	"cmp"
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
	// Elapsed is how long a package or test took, in s.
	Elapsed float64
}

// testOf names a test of a package; the package's own output has no name.
type testOf struct{ pkg, test string }

// reader prints what go test would print, and collects what is missed.
type reader struct {
	to      io.Writer
	verbose bool

	output map[testOf]*strings.Builder // of tests under way
	missed []miss
	took   []suite
}

// suite is how long a package's tests took, in s.
type suite struct {
	pkg     string
	elapsed float64
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

func (r *reader) take(event event) {
	of := testOf{event.Package, event.Test}
	switch event.Action {
	case "build-output":
		fmt.Fprint(r.to, event.Output)
	case "output":
		r.note(event)
		if r.verbose || event.Test == "" && isResult(event.Output) {
			fmt.Fprint(r.to, event.Output)
			break
		}
		if r.output[of] == nil {
			r.output[of] = &strings.Builder{}
		}
		r.output[of].WriteString(event.Output)
	case "fail":
		if kept := r.output[of]; kept != nil {
			fmt.Fprint(r.to, kept)
		}
		r.end(of, event)
	case "pass", "skip":
		r.end(of, event)
	}
}

// end notes the end of a test or package.
func (r *reader) end(of testOf, event event) {
	delete(r.output, of)
	if event.Test == "" {
		r.took = append(r.took, suite{event.Package, event.Elapsed})
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
func (r *reader) note(event event) {
	_, text, ok := strings.Cut(event.Output, lab.MissMark)
	m := miss{pkg: event.Package}
	if ok && json.Unmarshal([]byte(text), &m.Missed) == nil {
		r.missed = append(r.missed, m)
	}
}

// long is the time from which a suite is listed, in s.
const long = 5

// times lists the suites that took long, the longest first.
func (r *reader) times() {
	slices.SortStableFunc(r.took, func(a, b suite) int { return cmp.Compare(b.elapsed, a.elapsed) })
	total := 0.0
	for i, s := range r.took {
		if total += s.elapsed; s.elapsed < long {
			continue
		}
		if i == 0 {
			fmt.Fprintf(r.to, "\nminutes  suite (of %d s and more)\n", long)
		}
		fmt.Fprintf(r.to, "%7.1f  %s\n", s.elapsed/60, s.pkg)
	}
	if total >= long {
		fmt.Fprintf(r.to, "%7.1f  all %d, some of which ran at the same time\n", total/60, len(r.took))
	}
}

// summary lists how long suites took and what is missed, by package and spec, and
// counts it in the last line.
func (r *reader) summary() {
	r.times()
	slices.SortStableFunc(r.missed, func(a, b miss) int { return strings.Compare(a.pkg, b.pkg) })
	var last miss
	for _, missed := range r.missed {
		if missed.pkg != last.pkg {
			fmt.Fprintf(r.to, "\n%s misses:\n", missed.pkg)
			last.Spec = ""
		}
		if missed.Spec != last.Spec {
			fmt.Fprintf(r.to, "- %s:\n", missed.Spec)
		}
		last = missed
		line := "  " + missed.What
		if missed.Why != "" {
			line += ", because " + missed.Why
		}
		fmt.Fprintln(r.to, line)
	}
	fmt.Fprintf(r.to, "\nmissed criteria: %d\n", len(r.missed))
}
