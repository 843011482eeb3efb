package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/rocelab/rocelab/specs/judge"
	"github.com/rocelab/rocelab/testbed/experiment"
)

var resultColours = map[judge.Result]text.Colors{
	judge.Pass:    {text.FgGreen, text.Bold},
	judge.Failed:  {text.FgRed, text.Bold},
	judge.Skipped: {text.FgYellow},
	judge.NotRun:  {text.FgYellow},
}

// printReport prints the verdict, and then each check with what was measured.
func printReport(w io.Writer, report *judge.Report, colour bool) error {
	coloured := func(result judge.Result, text string) string {
		if colour && resultColours[result] != nil {
			return resultColours[result].Sprint(text)
		}
		return text
	}
	verdict := fmt.Sprintf("%-11s", strings.ToUpper(string(report.Verdict)))
	who := report.Form
	if report.Algorithm != "" {
		who = fmt.Sprintf("%s %s, %s", report.Algorithm, report.Version, report.Form)
	}
	for _, name := range slices.Sorted(maps.Keys(report.Given)) {
		who += fmt.Sprintf(", %s=%s", name, report.Given[name])
	}
	if report.Uncontrolled {
		who += ", uncontrolled by its own word"
	}
	counts := fmt.Sprintf("%d of %d checks pass", report.Count(judge.Pass), len(report.Checks))
	others := []judge.Result{judge.Failed, judge.Documented, judge.Exempt, judge.Reported, judge.Skipped, judge.NotRun}
	for _, result := range others {
		if n := report.Count(result); n > 0 {
			counts += fmt.Sprintf(", %d %s", n, result)
		}
	}
	t := newTable("check", "result", "figure", "allowed", "remark")
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 3, WidthMax: 36, WidthMaxEnforcer: text.WrapSoft},
		{Number: 4, WidthMax: 20, WidthMaxEnforcer: text.WrapSoft},
		{Number: 5, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft},
	})
	for _, row := range report.Checks {
		t.AppendRow(table.Row{row.Check, coloured(row.Result, string(row.Result)), row.Figure, row.Allowed, row.Remark})
	}
	_, err := fmt.Fprintf(w, "%s %s: %s\n%s\n", coloured(report.Verdict, verdict), who, counts, t.Render())
	return err
}

// checkJSON is what --list --format json says of a check.
type checkJSON struct {
	Check  string   `json:"check"`
	About  string   `json:"about"`
	Labels []string `json:"labels"`
}

// printChecks prints what checks there are.
func printChecks(w io.Writer, checks []judge.Check, format experiment.Format) error {
	list := []checkJSON{}
	t := newTable("check", "labels", "an algorithm that passes it")
	for _, c := range checks {
		list = append(list, checkJSON{c.Name, c.About, c.Labels})
		t.AppendRow([]any{c.Name, strings.Join(c.Labels, ", "), c.About})
	}
	return printAs(w, format, list, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, t.Render())
		return host(err)
	})
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
