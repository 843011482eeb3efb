//go:build !mem

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/specs/judge"
	"github.com/rocelab/rocelab/testbed/experiment"
	"github.com/rocelab/rocelab/testbed/look/page"
)

var resultColours = map[judge.Result]text.Colors{
	judge.Pass:    {text.FgGreen, text.Bold},
	judge.Failed:  {text.FgRed, text.Bold},
	judge.Skipped: {text.FgYellow},
	judge.NotRun:  {text.FgYellow},
}

// printReport prints the verdict, and then each check with what was measured.
func printReport(w io.Writer, report *judge.Report, p page.Page) error {
	coloured := func(result judge.Result, word string) string {
		if p.Colour && resultColours[result] != nil {
			return resultColours[result].EscapeSeq() + word + text.EscapeReset // the page knows that there is a terminal
		}
		return word
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
	verdict = fmt.Sprintf("%s %s: %s", coloured(report.Verdict, verdict), who, counts)
	_, err := fmt.Fprintf(w, "%s\n%s", p.Fold(verdict, experiment.LabelIndent), checkTable(p, report.Checks, coloured))
	return err
}

// checkTable prints a row for each check. On a page that is too narrow for them
// the remarks are lines below the table.
func checkTable(p page.Page, checks []judge.Row, coloured func(judge.Result, string) string) string {
	room := p.Width - len("|  |  |  |  |  |")
	names, results := 0, 0
	for _, row := range checks {
		names, results = max(names, len(row.Check)), max(results, len(row.Result))
	}
	room -= max(names, len("check")) + max(results, len("result"))
	var below strings.Builder
	header := []any{"check", "result", "figure", "allowed", "remark"}
	widths := []int{min(36, 9*room/25), min(20, room/5)}
	widths = append(widths, min(44, room-widths[0]-widths[1]))
	if remarks := widths[2] >= 30; !remarks {
		header = header[:4]
		room += len("|  ")
		widths = []int{max(1, 3*room/5), max(1, room-3*room/5)}
	}
	t := newTable(header...)
	var configs []table.ColumnConfig
	for i, width := range widths {
		configs = append(configs, table.ColumnConfig{Number: 3 + i, WidthMax: width, WidthMaxEnforcer: text.WrapSoft})
	}
	t.SetColumnConfigs(configs)
	for _, row := range checks {
		cells := table.Row{row.Check, inked(coloured(row.Result, string(row.Result))), row.Figure, row.Allowed, row.Remark}
		t.AppendRow(cells[:len(header)])
		if len(header) < len(cells) && row.Remark != "" {
			below.WriteString(p.Fold(row.Check+": "+row.Remark, 4) + "\n")
		}
	}
	return t.Render() + "\n" + below.String()
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
	names, labels := len("check"), len("labels")
	for _, c := range checks {
		names, labels = max(names, len(c.Name)), max(labels, len(strings.Join(c.Labels, ", ")))
		list = append(list, checkJSON{c.Name, c.About, c.Labels})
		t.AppendRow([]any{c.Name, strings.Join(c.Labels, ", "), c.About})
	}
	return printAs(w, format, list, func(w io.Writer) error {
		t.SetColumnConfigs(proseColumn(w, 3, names+labels+len("|  |  |  |")))
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
