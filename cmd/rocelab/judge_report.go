//go:build !mem

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/judge"
)

var resultInks = map[judge.Result]page.Ink{
	judge.Pass:    page.Green,
	judge.Failed:  page.Red,
	judge.Skipped: page.Yellow,
	judge.NotRun:  page.Yellow,
}

// reportDocument has the verdict, and then each check with its measurements.
func reportDocument(report *judge.Report) *page.Document {
	who := report.Form
	if report.Algorithm != "" {
		who = fmt.Sprintf("%s %s, %s", report.Algorithm, report.Version, report.Form)
	}
	for _, name := range slices.Sorted(maps.Keys(report.Given)) {
		who += fmt.Sprintf(", %s=%s", name, report.Given[name])
	}
	if report.Uncontrolled {
		who += ", which declares itself uncontrolled"
	}
	counts := fmt.Sprintf("%d of %d checks pass", report.Count(judge.Pass), len(report.Checks))
	others := []judge.Result{judge.Failed, judge.Documented, judge.Exempt, judge.Reported, judge.Skipped, judge.NotRun}
	for _, result := range others {
		if n := report.Count(result); n > 0 {
			counts += fmt.Sprintf(", %d %s", n, result)
		}
	}
	d := &page.Document{Title: who, Kind: "test"}
	d.Add(page.Line{
		Word: strings.ToUpper(string(report.Verdict)),
		Ink:  resultInks[report.Verdict],
		Text: who + ": " + counts,
	}, checkTable(report.Checks))
	return d
}

// checkTable has a row for each check.
func checkTable(checks []judge.Row) *page.Table {
	t := page.New("check", "result", "figure", "allowed", "remark")
	for _, row := range checks {
		t.Add(row.Check, string(row.Result), row.Figure, row.Allowed, row.Remark)
		t.Rows[len(t.Rows)-1][1].Ink = resultInks[row.Result]
	}
	for _, column := range []int{2, 3, 4} {
		t.Columns[column].Prose = true
	}
	return t
}

// checkJSON is a check in --list --format json.
type checkJSON struct {
	Check  string   `json:"check"`
	About  string   `json:"about"`
	Labels []string `json:"labels"`
}

// printChecks prints what checks there are.
func printChecks(w io.Writer, checks []judge.Check, format page.Format) error {
	list := []checkJSON{}
	t := page.New("check", "labels", "an algorithm that passes it")
	for _, c := range checks {
		list = append(list, checkJSON{c.Name, c.About, c.Labels})
		t.Add(c.Name, strings.Join(c.Labels, ", "), c.About)
	}
	t.Columns[2].Prose = true
	return printAs(w, format, list, &page.Document{Title: "Checks", Kind: "test", Blocks: []page.Block{t}})
}

// checkList lists the checks of a label, one a line.
func checkList(label string) string {
	list, err := judge.Checks(nil, label)
	if err != nil {
		panic(err) // the label is not one of the program's
	}
	var lines []string
	for _, c := range list {
		lines = append(lines, fmt.Sprintf("  %-14s %s", c.Name, c.About))
	}
	return strings.Join(lines, "\n")
}

// completeChecks completes names of checks.
func completeChecks(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	checks, err := judge.Checks(nil, "")
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, check := range checks {
		names = append(names, cobra.CompletionWithDesc(check.Name, check.About))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
