package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

func sweepReportCommand() *cobra.Command {
	metrics, out := []string{}, ""
	c := &cobra.Command{
		Use:   "report FOLDER",
		Short: "Draw a sweep on one page, for a browser",
		Long: `Draw a sweep on one page: each key against each metric, with the range over the
runs; two keys as a matrix; the first two metrics against each other, with the
combinations that no other one beats in both; and a table of the combinations. The
page is one file that needs no network and no script. A file of the same name is
replaced.`,
		Example: `  rocelab sweep report rocelab-sweeps/incast -o incast.html
  rocelab sweep report rocelab-sweeps/incast --metrics fct_p99_us,goodput_gbps -o incast.html`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			chosen, err := experiment.Metrics(metrics)
			if err != nil {
				return usage(fmt.Errorf("--metrics: %w", err))
			}
			folder, err := openSweep(args[0])
			if err != nil {
				return err
			}
			lines, err := folder.Lines(false)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			drawn := sweep.PageOf(folder.About.Scenario, folder.Plan.Keys, lines, chosen)
			if err := drawn.Print(&text, page.FormatHTML, page.Page{}); err != nil {
				return err
			}
			if err := inRunFolder(out); err != nil {
				return usage(err)
			}
			if out == "-" {
				_, err := c.OutOrStdout().Write(text.Bytes())
				return host(err)
			}
			if err := os.WriteFile(out, text.Bytes(), 0o666); err != nil {
				return host(err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "report: %s\n", out)
			return host(err)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "sweep.html", "file to write; - for standard output")
	c.Flags().StringSliceVar(&metrics, "metrics", sweep.UsualMetrics, "metrics to draw, joined by commas")
	c.ValidArgsFunction = first(folders)
	return c
}
