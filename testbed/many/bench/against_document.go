package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// Against has the results of this program beside another's.
type Against struct {
	// Other is the path of the other program.
	Other string `json:"other_program"`
	// Runs are the matches of cases by time, Counts those by instructions.
	Runs   []Match `json:"runs,omitempty"`
	Counts []Count `json:"counts,omitempty"`
}

// Measure adds the results of cases with a number of workers: of that many rounds, or the count of instructions if
// rounds is 0. The path of this program is this. A line on each step goes to progress. The error is a usage error for
// a program that cannot be used, that of the context if it was cancelled, or one of the host.
func (r *Against) Measure(ctx context.Context, this string, chosen []Contest, rounds, workers int,
	progress io.Writer) (err error) {
	arena, err := newArena(this, r.Other, workers)
	if err != nil {
		return exit.Usage(fmt.Errorf("--against %w", err))
	}
	defer func() { err = errors.Join(err, exit.Host(arena.Close())) }()
	for _, c := range chosen {
		if rounds == 0 {
			counted, err := arena.Count(ctx, c)
			if err != nil {
				return marked(err)
			}
			r.Counts = append(r.Counts, counted)
			fmt.Fprintf(progress, "%s: %.4f times the instructions\n", c.Name, counted.Ratio)
			continue
		}
		match, err := arena.Fight(ctx, c, rounds, func(round int, ratio float64) {
			fmt.Fprintf(progress, "%s, %d worker(s), round %d of %d: %.3f\n", c.Name, workers, round, rounds, ratio)
		})
		if err != nil {
			return marked(err)
		}
		r.Runs = append(r.Runs, match)
	}
	return nil
}

// marked gives an error of a case its exit code, unless it is that of a cancelled context.
func marked(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, errProgram):
		return exit.Usage(err)
	}
	return exit.Host(err)
}

// Same reports whether all traces are the same.
func (r *Against) Same() bool {
	return !slices.ContainsFunc(r.Runs, func(m Match) bool { return !m.Same() }) &&
		!slices.ContainsFunc(r.Counts, func(c Count) bool { return !c.Same() })
}

// Document shows the results as tables, with a sentence on each case.
func (r *Against) Document() *page.Document {
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
				peakOf(m.This.Peak),
				peakOf(m.Other.Peak),
				peakOf(m.This.PerHost),
				peakOf(m.Other.PerHost),
				peakOf(m.This.PerFlow),
				peakOf(m.Other.PerFlow),
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
				InMillions(float64(c.This.Total))+" M",
				InMillions(float64(c.Other.Total))+" M",
				InMillions(float64(c.This.Empty))+" M",
				InMillions(float64(c.Other.Empty))+" M",
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
func (r *Against) judge(d *page.Document) {
	for i := range r.Runs {
		switch m := &r.Runs[i]; {
		case !m.Same():
			d.Say("%s: the traces differ: this program has %s, the other %s", m.Name, m.This.Trace, m.Other.Trace)
		case len(m.Ratios) < LeastRounds:
			d.Say("%s: %d pairs are too few to call one of them faster: that takes %d", m.Name, len(m.Ratios),
				LeastRounds)
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

// InMillions prints a number in millions, with two decimals.
func InMillions(value float64) string { return fmt.Sprintf("%.2f", value/1e6) }
