package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// skips counts the tests of Go, and the specs of Ginkgo suites, that were skipped, by their reasons.
type skips struct {
	// said is the last line that each test under way has logged: Skip logs the reason.
	said map[testOf]string
	// by counts by reason; specs counts, for each test, its Ginkgo specs with a reason.
	by    map[string]int
	specs map[testOf]int
}

func newSkips() skips {
	return skips{said: map[testOf]string{}, by: map[string]int{}, specs: map[testOf]int{}}
}

var (
	colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	// logged matches what a Go test logs; reported what Ginkgo reports of a spec that was skipped, after the line
	// that has its time; and sum the last line of a suite.
	logged   = regexp.MustCompile(`^ +[^ ]+\.go:\d+: (.*)`)
	reported = regexp.MustCompile(`^ +\[SKIPPED\] (.+)`)
	timed    = regexp.MustCompile(`^ +\[SKIPPED\] in \[\w+\] - `)
	sum      = regexp.MustCompile(` \| (\d+) Skipped$`)
)

// withoutReason stands in place of the reason of specs that have none: a filter of labels left them out, or all of
// their suite was skipped.
const withoutReason = "specs of Ginkgo suites, by their labels or with their suite"

// take notes what an event shows of tests that are skipped.
func (s *skips) take(e event) {
	of := testOf{e.Package, e.Test}
	line := strings.TrimRight(colours.ReplaceAllString(e.Output, ""), " \n")
	switch {
	case e.Action == "skip" && e.Test != "":
		s.by[cmp.Or(s.said[of], "no reason given")]++
		delete(s.said, of)
	case e.Action == "pass" || e.Action == "fail":
		delete(s.said, of)
	case e.Action != "output":
	case logged.MatchString(line):
		s.said[of] = logged.FindStringSubmatch(line)[1]
	case reported.MatchString(line) && !timed.MatchString(line):
		s.by[reported.FindStringSubmatch(line)[1]]++
		s.specs[of]++
	case sum.MatchString(line):
		n, _ := strconv.Atoi(sum.FindStringSubmatch(line)[1])
		if rest := n - s.specs[of]; rest > 0 {
			s.by[withoutReason] += rest
		}
	}
}

// print lists the reasons, the most frequent first; nothing if no test was skipped.
func (s *skips) print(to io.Writer) {
	if len(s.by) == 0 {
		return
	}
	total := 0
	for _, n := range s.by {
		total += n
	}
	fmt.Fprintf(to, "\nskipped tests: %d\n", total)
	for _, reason := range slices.SortedFunc(maps.Keys(s.by), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.by[b], s.by[a]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(to, "%7d  %s\n", s.by[reason], reason)
	}
}
