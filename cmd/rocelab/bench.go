package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/bench"
	"github.com/rocelab/rocelab/testbed/model"
)

func benchCommand(code *int) *cobra.Command {
	var against againstFlags
	var runs int
	var workers []int
	var format page.Format
	var on string
	var noRecord bool
	var realtime bool
	c := &cobra.Command{
		Use:   "bench [NAME]...",
		Short: "Measure how fast this machine runs experiments",
		Long: `Measure packet-hops and events per second, processor time per hop, allocations and
peak memory on named benchmarks, and the time that each algorithm takes for a decision.
A packet-hop is one transmission of a frame by any port. NAME selects the benchmarks
whose names contain it; --format json has more figures of each. Machines are noisy:
compare rows of the same run, and compare machines by the yardstick, a loop of the
standard library that is measured first.

The benchmarks called two-dc/... take minutes and only run if they are named: two data
centres of 512 NICs each, 120 km apart. All NICs take part in an all-reduce that
crosses the fibre, 28 MB per NIC, without and with switches that watch their queues
for proximal CNP. Both are run in turn, and the cost of watching is printed as a ratio.

The benchmarks called decisions/... record the events that an algorithm sees in an
incast of 16 flows, and time how long new flows take to process them again, in this
process: ns per event at the sender and per data packet at the receiver.

With --on veth it measures the testbed, as root: frame-hops per second of the
incast with a daemon per node and with one pool, with algorithms built in and as
processes; the cost of a window by itself; the round trip of a plugin's decision; the
time to create and remove 40 and 400 nodes. The time of a run is only that of its
windows.

With --on live it measures, as root, how much this machine carries in real time (K = 1):
a stream of frames of 1500 B and of 4096 B from one interface to another over one
switch, pooled and with a daemon per node, at rates from 50 Mb/s up, until most of the
runs at a rate are not green any more. It prints the highest green rate, how late frames
left, and the processor time of all daemons per frame. The same is measured for
rocelab wire, with the processor time of its process. With --realtime each is measured
at normal priority and then with real-time priority.

With --against PROGRAM it compares this program with another build, each case in a
process of its own: both in turn, in reversed order every other round. It prints the
processor time (user and system) of this program over the other's, pair by pair, with
the median and the range, the peak memory, and the traces of both, which must be the
same. This program is called faster if the median of seven pairs or more is below 1 and
at most one of seven pairs is above 1. The cases are named incast/..., page/incast (4 MB
flows, with the run folder and its page), plugin/... (algorithms as processes) and
hosts/1024. Cases that take minutes only run if they are named: hosts/8192, hosts/31250,
two-sites, flows/1000000. With --count it counts the instructions of smaller cases with
valgrind's callgrind, less those of an empty run. Exit codes of --against: 0 the traces
are the same, 1 a trace differs.`,
		Example: `  rocelab bench
  rocelab bench incast --workers 1,2 --runs 5
  rocelab bench decisions
  rocelab bench two-dc
  rocelab bench --format json
  sudo rocelab bench --on veth
  sudo rocelab bench --on veth pc4/1000B/pool windows
  sudo rocelab bench --on live --runs 5
  sudo rocelab bench --on live --realtime live/wire
  rocelab bench --against ./rocelab-before
  rocelab bench --against ./rocelab-before hosts/8192 --runs 3
  rocelab bench --against ./rocelab-before --count incast/dcqcn`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if against.program != "" {
				*code, err = against.run(c.Context(), args, on, runs, workers, format, c.OutOrStdout(), c.ErrOrStderr())
				return err
			} else if against.count {
				return usage(errCountAlone)
			}
			if realtime && on != "live" {
				return usage(errRealtime)
			}
			if on == "veth" {
				printYardstick(c.ErrOrStderr())
				return benchVeth(c.Context(), args, runs, format, c.OutOrStdout(), c.ErrOrStderr())
			} else if on == "live" {
				return benchLive(c.Context(), args, runs, realtime, format, c.OutOrStdout(), c.ErrOrStderr())
			} else if on != "mem" {
				return usage(fmt.Errorf("--on %q: allowed are mem, veth, live", on))
			}
			chosen, err := selectCases(args, workers)
			if err != nil {
				return usage(err)
			}
			for i := range chosen.cases {
				chosen.cases[i].NoRecord = noRecord
			}
			printYardstick(c.ErrOrStderr())
			results, err := chosen.run(c.Context(), runs, c.ErrOrStderr())
			if errors.Is(err, context.Canceled) {
				return errInterrupted
			} else if err != nil {
				return err
			}
			return printAs(c.OutOrStdout(), format, results, results.document())
		},
	}
	c.Flags().IntVar(&runs, "runs", 3, "runs of each benchmark; the median counts")
	c.Flags().IntSliceVar(&workers, "workers", []int{1, 2}, "numbers of workers to try")
	c.Flags().BoolVar(&noRecord, "no-record", false, "keep no time series in the runs, as run --no-record does "+
		"(with --on mem)")
	c.Flags().StringVar(&on, "on", "mem", "where to measure: mem (this process), veth (the testbed; needs root), "+
		"live (the testbed in real time; needs root)")
	c.Flags().BoolVar(&realtime, "realtime", false, "measure with real-time priority too (with --on live; "+
		"needs two cores)")
	against.add(c)
	formatFlag(c, &format)
	return c
}

// printYardstick prints the present speed of the machine.
func printYardstick(w io.Writer) {
	fmt.Fprintf(w, "yardstick: %.0f ns for a pop and a push of container/heap with 100 events\n", bench.Yardstick())
}

// benchmarks are the requested ones.
type benchmarks struct {
	cases []bench.Case
	// decisions are names of algorithms.
	decisions []string
}

// benchResults are their results.
type benchResults struct {
	Runs      []bench.Result   `json:"runs"`
	Decisions []bench.Decision `json:"decisions"`
}

const decisionPrefix = "decisions/"

// selectCases returns the benchmarks whose names contain one of the words, all
// but long ones if there are no words. A long one is called by a word that begins
// as its name does.
func selectCases(words []string, workers []int) (chosen benchmarks, err error) {
	all, err := bench.Cases(model.Checker(shipped.Find), workers...)
	if err != nil {
		return chosen, err
	}
	var names []string
	wanted := func(name string, long bool) bool {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		return len(words) == 0 && !long || slices.ContainsFunc(words, func(word string) bool {
			return strings.Contains(name, word) && !long || word != "" && strings.HasPrefix(name, word)
		})
	}
	for _, c := range all {
		if wanted(c.Name, c.Long) {
			chosen.cases = append(chosen.cases, c)
		}
	}
	for _, a := range shipped.All() {
		if name := a.Describe().Name; wanted(decisionPrefix+name, false) {
			chosen.decisions = append(chosen.decisions, name)
		}
	}
	if len(chosen.cases)+len(chosen.decisions) == 0 {
		return chosen, fmt.Errorf("no benchmark is called %s: there are %s", strings.Join(words, " or "),
			strings.Join(names, ", "))
	}
	return chosen, nil
}

// run measures them one after the other and reports each.
func (b benchmarks) run(ctx context.Context, runs int, progress io.Writer) (results benchResults, err error) {
	total := len(b.cases) + len(b.decisions)
	for rest := b.cases; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Base == rest[0].Name && rest[n].Workers == rest[0].Workers {
			n++
		}
		all, err := bench.Run(ctx, rest[:n], runs, shipped.Find)
		if err != nil {
			return results, err
		}
		for _, got := range all {
			results.Runs = append(results.Runs, got)
			fmt.Fprintf(progress, "%d/%d %s, %d worker(s): %s M packet-hops/s\n", len(results.Runs), total, got.Name,
				got.Workers, bench.InMillions(got.HopsPerSecond))
		}
		rest = rest[n:]
	}
	for _, name := range b.decisions {
		got, err := bench.MeasureDecisions(ctx, name, runs, shipped.Find)
		if err != nil {
			return results, err
		}
		results.Decisions = append(results.Decisions, got)
		fmt.Fprintf(progress, "%d/%d %s%s: %.0f ns an event\n", len(results.Runs)+len(results.Decisions), total,
			decisionPrefix, name, got.PerEvent)
	}
	return results, nil
}

func (r benchResults) document() *page.Document {
	d := &page.Document{Title: "Benchmarks", Kind: "bench"}
	if len(r.Runs) > 0 {
		rows := page.New("benchmark", "workers", "M hops/s", "worst..best", "CPU ns/hop", "M events/s",
			"allocs/hop", "wall s", "peak")
		for _, result := range r.Runs {
			rows.Add(
				result.Name,
				result.Workers,
				bench.InMillions(result.HopsPerSecond),
				bench.InMillions(result.Worst)+".."+bench.InMillions(result.Best),
				fmt.Sprintf("%.1f", result.CPUPerHop),
				bench.InMillions(result.EventsPerSecond),
				fmt.Sprintf("%.4f", result.AllocsPerHop),
				fmt.Sprintf("%.2f", result.Wall),
				unit.Bytes(result.PeakBytes),
			)
		}
		d.Add(rows)
		for _, r := range r.Runs {
			if len(r.Idle) > 0 {
				d.Say("%s, %d workers: idle %s", r.Name, r.Workers, inPercent(r.Idle))
			}
			if r.Base != "" {
				d.Say("%s, %d worker(s): %.3f times the time of %s for a packet-hop (%.3f to %.3f)", r.Name,
					r.Workers, r.Cost, r.Base, r.CostLeast, r.CostMost)
			}
		}
	}
	if len(r.Decisions) > 0 {
		t := page.New("decisions of", "events", "ns/event", "best..worst", "ns/arrival", "allocs/event")
		for _, of := range r.Decisions {
			arrival := "no receiver"
			if of.PerArrival > 0 {
				arrival = fmt.Sprintf("%.0f", of.PerArrival)
			}
			t.Add(of.Algorithm, of.Events, fmt.Sprintf("%.0f", of.PerEvent),
				fmt.Sprintf("%.0f..%.0f", of.PerEventBest, of.PerEventWorst), arrival,
				fmt.Sprintf("%.4f", of.AllocsPerEvent))
		}
		d.Add(t)
	}
	return d
}

// inPercent lists shares, one for each worker.
func inPercent(shares []float64) string {
	var texts []string
	for _, share := range shares {
		texts = append(texts, fmt.Sprintf("%.0f %%", 100*share))
	}
	return strings.Join(texts, " and ")
}
