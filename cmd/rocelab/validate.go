package main

import (
	"fmt"
	"io"

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
and the length of the windows in which time advances. Every problem of the file
is shown with its line and column.`,
		Example: `  rocelab validate specs/scenarios/incast.yaml
  rocelab validate incast.yaml --set topology.latency=50ns --format json`,
		Args: usageArgs(cobra.ExactArgs(1)),
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

func printReports(w io.Writer, s *scenario.Scenario, reports []scenario.Report) error {
	fmt.Fprintf(w, "%s is valid, %d run(s)\n\n", s.Name, len(reports))
	sizes := newTable("variant", "switches", "NICs", "links", "flows", "payload", "window", "windows/ms")
	paths := newTable("variant", "flows", "for example", "hops", "rate", "base RTT", "one way", "BDP")
	room := newTable("variant", "lossless ports", "for example", "rate", "latency", "classes", "headroom", "reserve")
	for _, r := range reports {
		payload := r.Bytes.String()
		if r.Unsized > 0 {
			payload += fmt.Sprintf(" and %d flows without a size", r.Unsized)
		}
		sizes.AppendRow(table.Row{r.Name, r.Switches, r.NICs, r.Links, r.Flows, payload, r.Window, r.WindowsPerMs})
		for _, p := range r.Paths {
			paths.AppendRow(table.Row{r.Name, p.Flows, p.Example, p.Hops, p.Rate, p.BaseRTT, p.OneWay, p.BDP})
		}
		for _, h := range r.Headrooms {
			room.AppendRow(table.Row{r.Name, h.Ports, h.Example, h.Rate, h.Latency, h.Classes, h.Headroom, h.Reserve})
		}
	}
	_, err := fmt.Fprintf(w, "%s\n\n%s\n", sizes.Render(), paths.Render())
	if err == nil && room.Length() > 0 {
		_, err = fmt.Fprintf(w, "\n%s\n", room.Render())
	}
	for _, r := range reports {
		for _, text := range r.Warnings {
			if err == nil {
				_, err = fmt.Fprintf(w, "\nwarning: %s: %s\n", r.Name, text)
			}
		}
	}
	return host(err)
}
