package experiment

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// A JUnit report has a suite for a scenario and a case for each run, and one for the baseline. There is no standard:
// this is the common subset of GitHub's, GitLab's and Jenkins' readers.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Failure *junitReason `xml:"failure"`
	Skipped *junitReason `xml:"skipped"`
	Output  string       `xml:"system-out,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML. It has no times: these are the machine's.
func (r *Report) WriteJUnit(w io.Writer) error {
	suite := junitSuite{Name: r.Scenario}
	add := func(name string, failed, skipped bool, lines ...string) {
		made := junitCase{Class: r.Scenario, Name: name}
		text := strings.Join(lines, "\n")
		switch {
		case skipped:
			made.Skipped = &junitReason{Message: text}
			suite.Skipped++
		case failed:
			made.Failure = &junitReason{Message: lines[0], Text: text}
			suite.Failures++
		default:
			made.Output = text
		}
		suite.Tests++
		suite.Cases = append(suite.Cases, made)
	}
	for _, run := range r.Runs {
		v := variant{name: run.Summary.Variant, runs: []campaign.Run{run}}
		var lines []string
		for _, line := range v.verdicts() {
			lines = append(lines, line.String())
		}
		lines = append(lines, v.notes()...)
		status := run.Verdict.Status
		name := fmt.Sprintf("%s seed %d", run.Summary.Variant, run.Summary.Seed)
		add(name, status != result.Pass && status != result.Amber, false, lines...)
	}
	for _, name := range r.NotRun {
		add(name, false, true, "interrupted before it was run")
	}
	if r.Baseline != nil {
		add("baseline "+r.Baseline.Folder, r.Baseline.Failed(), false, r.Baseline.Lines()...)
	}
	all := junitSuites{
		Tests:    suite.Tests,
		Failures: suite.Failures,
		Skipped:  suite.Skipped,
		Suites:   []junitSuite{suite},
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
