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
	if !changed("workers") || f.count {
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
	if f.count {
		runs = 0
	}
	results := bench.Against{Other: f.program}
	for _, w := range workers {
		err := results.Measure(ctx, this, chosen, runs, w, stderr)
		if errors.Is(err, context.Canceled) {
			return 0, errInterrupted
		}
		if err != nil {
			return 0, err
		}
	}
	if err := printAs(stdout, format, results, results.Document()); err != nil {
		return 0, err
	}
	if !results.Same() {
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}
