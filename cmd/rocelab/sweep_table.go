package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// openSweep opens the folder of a sweep.
func openSweep(path string) (*sweep.Folder, error) {
	folder, err := sweep.Open(path)
	return folder, usage(err)
}

func sweepStatusCommand() *cobra.Command {
	format := page.FormatTable
	c := &cobra.Command{
		Use:   "status FOLDER",
		Short: "Report the progress of a sweep",
		Long: `Report the progress of a sweep: its runs by their verdicts, runs that remain to be
made, damaged folders, and the processes that are writing. All of it is read from the
folder. If the sweep was submitted, the state that its engine reports follows, if the
engine answers, and the reasons for missing runs, as far as their tasks reported them.`,
		Example: `  rocelab sweep status rocelab-sweeps/incast`,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			folder, err := openSweep(args[0])
			if err != nil {
				return err
			}
			status, err := folder.Status()
			if err != nil {
				return err
			}
			if format == page.FormatJSON {
				return writeJSON(c.OutOrStdout(), status)
			}
			var said strings.Builder
			printSweepStatus(&said, folder, status)
			if err := printEngines(c.Context(), &said, folder); err != nil {
				return err
			}
			d := &page.Document{Title: "Sweep " + status.Scenario, Kind: "sweep status"}
			for line := range strings.Lines(said.String()) {
				d.Say("%s", strings.TrimSuffix(line, "\n"))
			}
			return printAs(c.OutOrStdout(), format, status, d)
		},
	}
	formatFlag(c, &format)
	c.ValidArgsFunction = first(folders)
	return c
}

// printSweepStatus prints the progress of a sweep, a sentence a line.
func printSweepStatus(out *strings.Builder, folder *sweep.Folder, s *sweep.Status) {
	fmt.Fprintf(out, "%s: %d of %d runs done", terminal.Line(s.Scenario), s.Done, s.Runs)
	if words := verdictWords(s.Verdicts, s.Errors); words != "" {
		fmt.Fprintf(out, ": %s", words)
	}
	fmt.Fprintln(out)
	for _, dir := range s.Damaged {
		fmt.Fprintf(out, "damaged: %s\n", terminal.Line(dir))
	}
	for _, dir := range s.AtWork {
		fmt.Fprintf(out, "writing, or killed: %s\n", terminal.Line(dir))
	}
	if s.Missing+len(s.Damaged) > 0 {
		fmt.Fprintf(out, "resume: rocelab sweep %s\n", terminal.Line(folder.Dir()))
	}
}

func sweepTableCommand() *cobra.Command {
	format, withHost, overSeeds := page.FormatTable, false, false
	var rows rowFlags
	c := &cobra.Command{
		Use:   "table FOLDER",
		Short: "Show the runs of a sweep side by side",
		Long: `Show the runs of a sweep side by side, a row for each, in the order of its plan: the
values of its keys, variant, seed, verdict, exit code, metrics and trace. A run that
is not done is shown as missing, a run whose folder is not a valid result as damaged,
and a run that will have no result as an error.

The formats csv and jsonl have all metrics. Their bytes do not depend on the machines that
made the runs; --with-host adds data about the machines.

--over-seeds has one row for all runs that only differ in their seeds: for each metric
the median and its 95 % interval, from resamples of the seeds.`,
		Example: `  rocelab sweep table rocelab-sweeps/incast --metrics fct_p99_us,queueing_p99_us
  rocelab sweep table rocelab-sweeps/incast --over-seeds
  rocelab sweep table rocelab-sweeps/incast --format csv > incast.csv
  rocelab sweep table rocelab-sweeps/incast --with-host --metrics fct_p99_us`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			chosen, err := experiment.Metrics(rows.metrics)
			if err != nil {
				return usage(fmt.Errorf("--metrics: %w", err))
			}
			folder, err := openSweep(args[0])
			if err != nil {
				return err
			}
			lines, err := folder.Lines(withHost)
			if err != nil {
				return err
			}
			table := &sweep.Table{Lines: lines, Keys: folder.Plan.Keys, Metrics: sweep.PerJob(chosen, lines)}
			out := c.OutOrStdout()
			if overSeeds {
				return printOverSeeds(c, folder, table, format, withHost, rows.wide, chosen == nil)
			}
			if format == formatJSONLines {
				return host(table.WriteJSONLines(out))
			}
			d := &page.Document{Title: folder.About.Scenario, Kind: "sweep table", Record: lines}
			switch {
			case format == page.FormatCSV:
				if chosen == nil {
					table.Metrics = sweep.AllMetrics(lines)
				}
				d.Rows = table.Sheet()
			case chosen == nil:
				table.Metrics = sweep.PerJob(usualMetrics(rows.wide), lines)
				fallthrough
			default:
				d.Add(table.Grid())
			}
			return host(d.Print(out, format, pageOf(out)))
		},
	}
	c.Flags().BoolVar(&withHost, "with-host", false, "add the machine that made each run, how often it was begun, and "+
		"how long it took")
	c.Flags().BoolVar(&overSeeds, "over-seeds", false, "one row for runs that only differ in their seeds, with "+
		"medians and 95 % intervals")
	c.Flags().StringSliceVar(&rows.metrics, "metrics", nil, "columns of metrics, joined by commas (default a few)")
	c.Flags().BoolVar(&rows.wide, "wide", false, "show the columns of all metrics")
	formatFlag(c, &format, append(slices.Clone(page.Formats), formatJSONLines)...)
	c.ValidArgsFunction = first(folders)
	return c
}

// printOverSeeds prints the combinations of a sweep.
func printOverSeeds(c *cobra.Command, folder *sweep.Folder, table *sweep.Table, format page.Format, withHost, wide,
	usual bool) error {
	switch {
	case withHost:
		return usage(errors.New("--over-seeds and --with-host: they exclude each other, because a machine makes " +
			"one run"))
	case format == formatJSONLines:
		return usage(errors.New("--over-seeds --format jsonl: allowed are table, json, csv, markdown and html"))
	case usual && (format == page.FormatCSV || format == page.FormatJSON):
		table.Metrics = sweep.AllMetrics(table.Lines)
	case usual:
		table.Metrics = sweep.PerJob(usualMetrics(wide), table.Lines)
	}
	list := sweep.OverSeeds(table.Lines, table.Metrics)
	d := &page.Document{
		Title:  folder.About.Scenario,
		Kind:   "sweep table",
		Record: list,
		Rows:   sweep.SheetOverSeeds(list, table.Keys, table.Metrics),
	}
	d.Add(sweep.GridOverSeeds(list, table.Keys, table.Metrics))
	return host(d.Print(c.OutOrStdout(), format, pageOf(c.OutOrStdout())))
}

// usualMetrics are the columns of a table by default.
func usualMetrics(wide bool) (list []result.Metric) {
	if wide {
		return experiment.TableMetrics()
	}
	for _, name := range []string{"fct_p99_us", "queueing_p99_us", "goodput_gbps", "marks", "pauses", "drops"} {
		if m, ok := result.MetricOf(name); ok {
			list = append(list, m)
		}
	}
	return list
}
