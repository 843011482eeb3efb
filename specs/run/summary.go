package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// suite is what a package's tests took.
type suite struct {
	pkg string
	// elapsed is in s by the wall clock, cpu in s of all processes. Of tests whose result go test
	// has from before, elapsed is 0 and cpu what they took then.
	elapsed, cpu float64
}

// long is the time from which a suite is listed, in s of either kind.
const long = 5

// times lists the suites that took long, the longest first.
func (r *reader) times(measured bool) {
	slices.SortStableFunc(r.took, func(a, b suite) int { return cmp.Compare(b.elapsed, a.elapsed) })
	row := func(s suite) {
		cpu := fmt.Sprintf("%7.1f", s.cpu)
		if !measured {
			cpu = "      -"
		}
		fmt.Fprintf(r.to, "%7.1f %s  %s\n", s.elapsed/60, cpu, s.pkg)
	}
	total, listed := suite{pkg: fmt.Sprintf("all %d, some of which ran at the same time", len(r.took))}, false
	for _, s := range r.took {
		total.elapsed += s.elapsed
		total.cpu += s.cpu
		if s.elapsed < long && s.cpu < long {
			continue
		}
		if !listed {
			fmt.Fprintf(r.to, "\nminutes   CPU s  suite (of %d s and more)\n", long)
			listed = true
		}
		row(s)
	}
	if listed {
		row(total)
	}
}

// exceeds reports whether the suites together took more CPU time than that, in s, and prints
// it with those that took the most.
func (r *reader) exceeds(most float64) bool {
	total := 0.0
	for _, s := range r.took {
		total += s.cpu
	}
	if total <= most {
		return false
	}
	slices.SortStableFunc(r.took, func(a, b suite) int { return cmp.Compare(b.cpu, a.cpu) })
	var largest []string
	for _, s := range r.took[:min(3, len(r.took))] {
		largest = append(largest, fmt.Sprintf("%s %.1f", s.pkg, s.cpu))
	}
	fmt.Fprintf(r.to, "\nFAIL: the tests took %.1f s of CPU time, more than -%s %g: %s\n", total, mostFlag, most,
		strings.Join(largest, ", "))
	return true
}

// misses lists what is missed, by package and spec, and counts it in the last line.
func (r *reader) misses() {
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
