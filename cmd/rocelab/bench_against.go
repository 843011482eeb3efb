package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/bench"
)

// errCountAlone is --count without another program.
var errCountAlone = errors.New("--count goes with --against PROGRAM, and counts instructions of both")

// againstFlags are the flags of bench with another program.
type againstFlags struct {
	program string
	count   bool
	command *cobra.Command
}

// againstResults are the times of two programs.
type againstResults struct {
	Other  string        `json:"other_program"`
	Runs   []bench.Match `json:"runs,omitempty"`
	Counts []bench.Count `json:"counts,omitempty"`
}

func (f *againstFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.program, "against", "", "compare this rocelab with another build's `PROGRAM`, run by run")
	c.Flags().BoolVar(&f.count, "count", false, "count instructions with valgrind's callgrind, in place of time "+
		"(with --against)")
}

// check refuses what does not go together.
func (f *againstFlags) check(on string, runs int, chosen []bench.Contest) error {
	switch changed := f.command.Flags().Changed; {
	case on != "mem":
		return fmt.Errorf("--against goes with --on mem, not with %s", on)
	case changed("no-record"):
		return errors.New("--against and --no-record do not go together: the cases have series as rocelab run makes them")
	case f.count && changed("runs"):
		return errors.New("--count and --runs do not go together: a second run has the same instructions")
	case runs < 1, runs < bench.LeastRounds && !f.count && slices.ContainsFunc(chosen, func(c bench.Contest) bool {
		return !c.Long
	}):
		return fmt.Errorf("--runs %d: allowed with --against are %d and above, and fewer for cases that take minutes",
			runs, bench.LeastRounds)
	}
	return nil
}

// run holds the two programs against each other and returns the exit code.
func (f *againstFlags) run(ctx context.Context, words []string, on string, runs int, workers []int, format page.Format,
	stdout, stderr io.Writer) (int, error) {
	changed := f.command.Flags().Changed
	if !changed("runs") {
		runs = bench.LeastRounds
	}
	if !changed("workers") {
		workers = []int{1}
	}
	chosen, names := bench.SelectContests(words)
	if len(chosen) == 0 {
		return 0, usage(fmt.Errorf("no case of --against is called %s: there are %s", strings.Join(words, " or "),
			strings.Join(names, ", ")))
	}
	if err := f.check(on, runs, chosen); err != nil {
		return 0, usage(err)
	}
	this, err := os.Executable()
	if err != nil {
		return 0, host(err)
	}
	results := againstResults{Other: f.program}
	for _, w := range workers {
		if err := f.measure(ctx, this, chosen, runs, w, &results, stderr); err != nil {
			return 0, err
		}
		if f.count {
			break // by one worker
		}
	}
	if err := printAs(stdout, format, results, results.document()); err != nil {
		return 0, err
	}
	if !results.same() {
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}

// measure runs the cases with a number of workers.
func (f *againstFlags) measure(ctx context.Context, this string, chosen []bench.Contest, runs, workers int,
	results *againstResults, progress io.Writer) (err error) {
	if f.count {
		workers = 1
	}
	arena, err := bench.NewArena(this, f.program, workers)
	if err != nil {
		return usage(fmt.Errorf("--against %w", err))
	}
	defer func() { err = errors.Join(err, host(arena.Close())) }()
	for _, c := range chosen {
		if f.count {
			counted, err := arena.Count(ctx, c)
			if err != nil {
				return againstError(err)
			}
			results.Counts = append(results.Counts, counted)
			fmt.Fprintf(progress, "%s: %.4f times the instructions\n", c.Name, counted.Ratio)
			continue
		}
		match, err := arena.Fight(ctx, c, runs, func(round int, ratio float64) {
			fmt.Fprintf(progress, "%s, %d worker(s), round %d of %d: %.3f\n", c.Name, workers, round, runs, ratio)
		})
		if err != nil {
			return againstError(err)
		}
		results.Runs = append(results.Runs, match)
	}
	return nil
}

func againstError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case errors.Is(err, bench.ErrProgram):
		return usage(err)
	}
	return host(err)
}

// same reports whether all traces are the same.
func (r *againstResults) same() bool {
	return !slices.ContainsFunc(r.Runs, func(m bench.Match) bool { return !m.Same() }) &&
		!slices.ContainsFunc(r.Counts, func(c bench.Count) bool { return !c.Same() })
}

func (r *againstResults) document() *page.Document {
	d := &page.Document{Title: "This program against " + r.Other, Kind: "bench --against"}
	if len(r.Runs) > 0 {
		times := page.New("case", "workers", "CPU s", "other", "ratio", "least..most", "above 1", "trace", "other")
		memory := page.New("case", "workers", "peak", "other", "a host", "other", "a flow", "other")
		for i := range r.Runs {
			m := &r.Runs[i]
			times.Add(
				m.Name,
				m.Workers,
				fmt.Sprintf("%.2f", m.This.Typical()),
				fmt.Sprintf("%.2f", m.Other.Typical()),
				fmt.Sprintf("%.3f", m.Ratio),
				fmt.Sprintf("%.3f..%.3f", slices.Min(m.Ratios), slices.Max(m.Ratios)),
				fmt.Sprintf("%d of %d", m.Above, len(m.Ratios)),
				m.This.Trace,
				m.Other.Trace,
			)
			memory.Add(
				m.Name,
				m.Workers,
				bench.PeakOf(m.This.Peak),
				bench.PeakOf(m.Other.Peak),
				bench.PeakOf(m.This.PerHost),
				bench.PeakOf(m.Other.PerHost),
				bench.PeakOf(m.This.PerFlow),
				bench.PeakOf(m.Other.PerFlow),
			)
		}
		times.Caption = "processor time of this program over the other's, in pairs of runs"
		memory.Caption = "peak memory; a host, a flow: the memory above that of a run of two flows, over their number"
		d.Add(times)
		d.Add(memory)
	}
	if len(r.Counts) > 0 {
		counts := page.New("case", "instructions", "other", "of an empty run", "other", "ratio", "trace", "other")
		for i := range r.Counts {
			c := &r.Counts[i]
			counts.Add(
				c.Name,
				inMillions(float64(c.This.Total))+" M",
				inMillions(float64(c.Other.Total))+" M",
				inMillions(float64(c.This.Empty))+" M",
				inMillions(float64(c.Other.Empty))+" M",
				fmt.Sprintf("%.4f", c.Ratio),
				c.This.Trace,
				c.Other.Trace,
			)
		}
		counts.Caption = "instructions of this program minus an empty run's, over the other's"
		d.Add(counts)
	}
	r.judge(d)
	return d
}

// judge adds what the figures mean.
func (r *againstResults) judge(d *page.Document) {
	for i := range r.Runs {
		switch m := &r.Runs[i]; {
		case !m.Same():
			d.Say("%s: the traces differ: this program has %s, the other %s", m.Name, m.This.Trace, m.Other.Trace)
		case len(m.Ratios) < bench.LeastRounds:
			d.Say("%s: %d pairs are too few to call one of them faster: that takes %d", m.Name, len(m.Ratios),
				bench.LeastRounds)
		case m.Faster():
			d.Say("%s: this program is faster: the median is below 1, and %d of %d pairs are above", m.Name, m.Above,
				len(m.Ratios))
		default:
			d.Say("%s: this program is not shown to be faster: that takes a median below 1 and at most one of seven pairs "+
				"above", m.Name)
		}
	}
	for i := range r.Counts {
		if c := &r.Counts[i]; !c.Same() {
			d.Say("%s: the traces differ: this program has %s, the other %s", c.Name, c.This.Trace, c.Other.Trace)
		}
	}
}
