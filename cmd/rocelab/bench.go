package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/bench"
	"github.com/rocelab/rocelab/testbed/model"
)

func benchCommand() *cobra.Command {
	var runs int
	var workers []int
	var asJSON bool
	var on string
	c := &cobra.Command{
		Use:   "bench [NAME]...",
		Short: "Measure how fast this machine runs experiments",
		Long: `Measure packet-hops and events per second, allocations and peak memory on named
benchmarks. A packet-hop is one transmission of a frame by any port. NAME selects
the benchmarks that contain it; --json tells more of each. Machines are noisy:
compare rows of one run, and machines by the yardstick, a loop of the standard
library that is measured first.

With --on veth it measures the testbed, as root: frame-hops per second of the
incast with a daemon per node and pooled, algorithms built in and as processes;
what a window costs by itself; the round trip of a plugin's decision; how long
40 and 400 nodes take to come and go. Times of runs are those of the windows
alone.`,
		Example: `  rocelab bench
  rocelab bench incast --workers 1,2 --runs 5
  rocelab bench --json
  sudo rocelab bench --on veth
  sudo rocelab bench --on veth pc4/1000B/pool windows`,
		RunE: func(c *cobra.Command, args []string) error {
			if on == "veth" {
				tellYardstick(c.ErrOrStderr())
				return benchVeth(c.Context(), args, runs, asJSON, c.OutOrStdout(), c.ErrOrStderr())
			} else if on != "mem" {
				return usage(fmt.Errorf("--on %q: allowed are mem, veth", on))
			}
			cases, err := selectCases(args, workers)
			if err != nil {
				return usage(err)
			}
			tellYardstick(c.ErrOrStderr())
			var results []bench.Result
			for i, one := range cases {
				r, err := bench.Run(c.Context(), one, runs, shipped.Find)
				if errors.Is(err, context.Canceled) {
					return errInterrupted
				} else if err != nil {
					return err
				}
				results = append(results, r)
				fmt.Fprintf(c.ErrOrStderr(), "%d/%d %s, %d worker(s): %s M packet-hops/s\n", i+1, len(cases), r.Name, r.Workers, mega(r.HopsPerSecond))
			}
			if asJSON {
				return writeJSON(c.OutOrStdout(), results)
			}
			return printBench(c.OutOrStdout(), results)
		},
	}
	c.Flags().IntVar(&runs, "runs", 3, "runs of each benchmark; the median counts")
	c.Flags().IntSliceVar(&workers, "workers", []int{1, 2}, "numbers of workers to try")
	c.Flags().StringVar(&on, "on", "mem", "what to measure: mem (this process), veth (the testbed; needs root)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// tellYardstick tells how fast the machine is just now.
func tellYardstick(w io.Writer) {
	fmt.Fprintf(w, "yardstick: %.0f ns for a pop and a push of container/heap with 100 events\n", bench.Yardstick())
}

// selectCases returns the benchmarks whose names contain one of the words.
func selectCases(words []string, workers []int) ([]bench.Case, error) {
	all, err := bench.Cases(model.Checker(shipped.Find), workers...)
	if err != nil || len(words) == 0 {
		return all, err
	}
	var chosen []bench.Case
	var names []string
	for _, c := range all {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
		for _, w := range words {
			if strings.Contains(c.Name, w) {
				chosen = append(chosen, c)
				break
			}
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no benchmark is called %s: there are %s", strings.Join(words, " or "), strings.Join(names, ", "))
	}
	return chosen, nil
}

func printBench(w io.Writer, results []bench.Result) error {
	t := newTable("benchmark", "workers", "M hops/s", "worst..best", "M events/s", "allocs/hop", "peak")
	for _, r := range results {
		t.AppendRow(table.Row{r.Name, r.Workers, mega(r.HopsPerSecond), mega(r.Worst) + ".." + mega(r.Best), mega(r.EventsPerSecond),
			fmt.Sprintf("%.4f", r.AllocsPerHop), unit.Bytes(r.PeakBytes)})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return host(err)
}

func mega(v float64) string { return fmt.Sprintf("%.2f", v/1e6) }
