package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/look/validation"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

func validateCommand() *cobra.Command {
	var flags scenarioFlags
	var format page.Format
	sample := false
	c := &cobra.Command{
		Use:   "validate SCENARIO",
		Short: "Check a scenario and show what follows from it",
		Long: `Check a scenario without running it, and show for each variant what follows from it:
base RTT, BDP and hops of the flows' paths, oversubscription and bisection of the
fabric, the hosts of the ranks of jobs, the flows that ECMP puts on the same port, the
headroom of lossless ports, the thresholds of ports that mark, in bytes and in BDP, the
longest window of model time, and with failover the times at which
switches learn of each outage and have followed it. Variants that agree in all of this
are shown together. Every problem of the file is shown with its line and column, and
with the variant that has it unless all have it; with --variant only those of that
variant.

Packet-hops, time and memory of a run are predicted from the plan. With --sample each
variant is also run in memory for up to five seconds. Its time on this host is
estimated from that, and the run is not kept.`,
		Example: `  rocelab validate specs/scenarios/incast.yaml
  rocelab validate specs/scenarios/two-dc.yaml --variant proximal
  rocelab validate incast.yaml --set topology.latency=50ns --format json`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, flags.plugins.close()) }()
			loaded, err := flags.load(args[0], "")
			if err != nil {
				return usage(err)
			}
			plans, err := loaded.Plans()
			if err == nil {
				plans, err = experiment.Chosen(loaded.Name, plans, flags.only)
			}
			if err != nil {
				return usage(err)
			}
			algorithms, err := flags.plugins.registry()
			if err != nil {
				return usage(err)
			}
			reports := []scenario.Report{}
			for _, p := range plans {
				r := model.AnalyseWhole(p, algorithms.Find)
				if sample {
					if r.Forecast.Sampled, err = sampleOf(c.Context(), p, algorithms); err != nil {
						return flags.plugins.withCause(err)
					}
				}
				reports = append(reports, r)
			}
			return printAs(c.OutOrStdout(), format, reports, validation.Document(loaded.Name, reports))
		},
	}
	flags.add(c)
	c.Flags().StringArrayVar(&flags.only, "variant", nil, "check only this variant (repeatable)")
	c.Flags().BoolVar(&sample, "sample", false, "run each variant for up to five seconds, to estimate its time here")
	formatFlag(c, &format)
	return c
}

// sampleOf runs a plan for a short time, and returns how long all of it takes, in seconds.
func sampleOf(ctx context.Context, p *plan.Plan, algorithms *registry.Registry) (float64, error) {
	planOf := func(int) (*plan.Plan, error) { return p, nil }
	e, err := sampleInMemory(ctx, 1, planOf, mem.Options{Algorithms: algorithms.Find}, false, algorithms.Close)
	if err != nil {
		return 0, err
	}
	return e.Wall.Seconds(), nil
}

// printWarnings prints the warnings of a plan before it runs, except those already printed.
func printWarnings(to io.Writer, plan *plan.Plan, algorithms model.Find, said map[string]bool) {
	for _, w := range model.Analyse(plan, algorithms).Warnings {
		if !said[w] {
			said[w] = true
			fmt.Fprintln(to, pageOf(to).Fold(fmt.Sprintf("warning: %s: %s", plan.Name, w), 4))
		}
	}
}
