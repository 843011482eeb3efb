package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/scenario"
)

func validateCommand() *cobra.Command {
	var flags scenarioFlags
	var format string
	c := &cobra.Command{
		Use:   "validate SCENARIO",
		Short: "Check a scenario and show what follows from it",
		Long: `Check a scenario without running it, and show for each variant what follows from
it: base RTT, BDP and hops of the flows' paths, the headroom of lossless ports,
and the longest window in which time may advance. Variants that agree in all of
this are shown together. Every problem of the file is shown with its line and
column.`,
		Example: `  rocelab validate specs/scenarios/incast.yaml
  rocelab validate incast.yaml --set topology.latency=50ns --format json`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "table" && format != "json" {
				return usage(fmt.Errorf("%q is no format: allowed are table, json", format))
			}
			s, err := flags.load(args[0], "")
			if err != nil {
				return usage(err)
			}
			plans, err := s.Plans()
			if err != nil {
				return usage(err)
			}
			reports := []scenario.Report{}
			for _, p := range plans {
				reports = append(reports, scenario.Analyse(p))
			}
			if format == "json" {
				return writeJSON(c.OutOrStdout(), reports)
			}
			return printReports(c.OutOrStdout(), s, reports)
		},
	}
	flags.add(c)
	formatFlag(c, &format, "table, json")
	return c
}

// printReports prints what the variants have in common once.
func printReports(w io.Writer, s *scenario.Scenario, reports []scenario.Report) error {
	var b strings.Builder
	runs := "1 run"
	if len(reports) > 1 {
		runs = fmt.Sprintf("%d runs", len(reports))
	}
	fmt.Fprintf(&b, "%s is valid: %s\n", s.Name, runs)
	for len(reports) > 0 {
		names, rest := []string{}, []scenario.Report{}
		for _, r := range reports {
			if sameButName(r, reports[0]) {
				names = append(names, r.Name)
			} else {
				rest = append(rest, r)
			}
		}
		fmt.Fprintf(&b, "\n%s\n%s", strings.Join(names, ", "), describeReport(reports[0]))
		reports = rest
	}
	_, err := io.WriteString(w, b.String())
	return host(err)
}

func sameButName(a, b scenario.Report) bool {
	a.Name = b.Name
	return reflect.DeepEqual(a, b)
}

func describeReport(r scenario.Report) string {
	var b strings.Builder
	payload := r.Bytes.String()
	if r.Unsized > 0 {
		payload += fmt.Sprintf(" and %d flows without a size", r.Unsized)
	}
	size := newTable("switches", "NICs", "links", "flows", "payload", "window", "windows/ms")
	size.AppendRow(table.Row{r.Switches, r.NICs, r.Links, r.Flows, payload, r.Window, r.WindowsPerMs})
	fmt.Fprintln(&b, size.Render())
	paths := newTable("flows", "for example", "hops", "rate", "base RTT", "one way", "BDP")
	for _, p := range r.Paths {
		paths.AppendRow(table.Row{p.Flows, p.Example, p.Hops, p.Rate, p.BaseRTT, p.OneWay, p.BDP})
	}
	fmt.Fprintln(&b, paths.Render())
	room := newTable("lossless ports", "such as", "rate", "latency", "classes", "headroom", "reserve")
	for _, h := range r.Headrooms {
		room.AppendRow(table.Row{h.Ports, h.Example, h.Rate, h.Latency, h.Classes, h.Headroom, h.Reserve})
	}
	if room.Length() > 0 {
		fmt.Fprintln(&b, room.Render())
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(&b, "warning: "+warning)
	}
	return b.String()
}
