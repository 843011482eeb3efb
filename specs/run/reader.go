package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/specs/missed"
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
	// of is how many packages there are, 0 if that is not known; ended how many results of
	// packages were printed.
	of, ended int

	kept   map[testOf][]keptLine // output of tests under way, and of packages
	lines  int                   // that were kept, ever
	missed []miss
	skips  skips
	took   []suite
	cpu    map[string]float64 // by package, in s
}

// keptLine is a piece of output that is not printed yet, as a rule a line; number counts them.
type keptLine struct {
	number int
	text   string
}

// miss is a criterion and the package whose specs miss it.
type miss struct {
	pkg string
	missed.Criterion
}

// read reads all events. Lines that are none are printed as they are.
func (r *reader) read(events io.Reader) error {
	r.kept, r.cpu, r.skips = map[testOf][]keptLine{}, map[string]float64{}, newSkips()
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
	r.skips.take(event)
	switch event.Action {
	case "build-output":
		fmt.Fprint(r.to, event.Output)
	case "output":
		r.note(event)
		measured := r.measured(event)
		switch {
		case measured:
		case event.Test == "" && isResult(event.Output):
			if isFailure(event.Output) {
				r.printRest(event.Package)
			}
			fmt.Fprint(r.to, r.progress(), event.Output)
		case r.verbose:
			fmt.Fprint(r.to, event.Output)
		default:
			r.lines++
			r.kept[of] = append(r.kept[of], keptLine{r.lines, event.Output})
		}
	case "fail":
		for _, line := range r.kept[of] {
			fmt.Fprint(r.to, line.text)
		}
		r.end(of, event)
	case "pass", "skip":
		r.end(of, event)
	}
}

// measured reports whether an output is the line with the CPU time of a test program, which is not printed.
func (r *reader) measured(event event) bool {
	_, text, marked := strings.Cut(event.Output, cpuMark)
	seconds, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !marked || err != nil {
		return false
	}
	r.cpu[event.Package] += seconds
	return true
}

// progress counts a package that has its result: "[ 12/150] ".
func (r *reader) progress() string {
	if r.of == 0 {
		return ""
	}
	r.ended++
	return fmt.Sprintf("[%*d/%d] ", len(fmt.Sprint(r.of)), r.ended, r.of)
}

// end notes the end of a test or package.
func (r *reader) end(of testOf, event event) {
	delete(r.kept, of)
	if event.Test == "" {
		maps.DeleteFunc(r.kept, func(of testOf, _ []keptLine) bool { return of.pkg == event.Package })
		r.took = append(r.took, suite{pkg: event.Package, elapsed: event.Elapsed, cpu: r.cpu[event.Package]})
	}
}

// isResult reports whether a line is what go test prints of each package.
func isResult(line string) bool {
	return strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") || isFailure(line)
}

// isFailure reports whether a line is what go test prints of a package that fails.
func isFailure(line string) bool { return strings.HasPrefix(line, "FAIL\t") }

// note collects a criterion that is missed.
func (r *reader) note(event event) {
	_, text, ok := strings.Cut(event.Output, missed.Mark)
	m := miss{pkg: event.Package}
	if ok && json.Unmarshal([]byte(text), &m.Criterion) == nil {
		r.missed = append(r.missed, m)
	}
}
