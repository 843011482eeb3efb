package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// manyRuns is the largest number of runs that begin without a line about them, and of seeds that a bare number asks
// for without a question.
const manyRuns = 100

// manyFlags are the flags of a command that may begin many runs.
type manyFlags struct{ yes bool }

func (f *manyFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.yes, "yes", false,
		fmt.Sprintf("do not ask for confirmation, on a terminal, if --seeds is a number above %d", manyRuns))
}

// manyHelp is the help text about the line and the question.
const manyHelp = `Above 100 runs, their number and the estimated time are printed on stderr before they
begin, estimated from three sample runs that are not kept. On a terminal the command
also asks, unless --yes is given, if more than 100 seeds come from a bare number.`

// begun is runs that are about to begin.
type begun struct {
	// runs is their number, the largest possible one if atMost; jobs is the number of runs at a time.
	runs, jobs int
	atMost     bool
	// seeds is --seeds as it was written.
	seeds string
	// sample looks at a few of them; nil if that cannot be done.
	sample func() (*campaign.Estimate, error)
}

// announce prints how many runs there are and how long they take, and asks if they may not be meant. An answer
// other than yes is an error.
func (f *manyFlags) announce(c *cobra.Command, m begun) error {
	stderr := c.ErrOrStderr()
	bare, err := strconv.ParseUint(m.seeds, 10, 64)
	asks := err == nil && bare > manyRuns && !f.yes && isTerminal(stderr) && isTerminalIn(c.InOrStdin())
	if m.runs <= manyRuns && !asks {
		return nil
	}
	text := unit.Count(m.runs, "run")
	if m.atMost {
		text = "at most " + text
	}
	if err == nil && bare > manyRuns {
		text += fmt.Sprintf(", because --seeds %s means the seeds 1 to %s", m.seeds, m.seeds)
	}
	if m.sample != nil {
		e, err := m.sample()
		if err != nil {
			return err
		}
		text += "; " + e.Text(m.runs, m.jobs)
	}
	fmt.Fprintln(stderr, pageOf(stderr).Fold("rocelab: "+text, 0))
	if asks {
		return confirm(c.InOrStdin(), stderr)
	}
	return nil
}

// confirm asks whether to go on.
func confirm(in io.Reader, out io.Writer) error {
	fmt.Fprint(out, "Go on? [y/N] ")
	line, _ := bufio.NewReader(in).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return usage(fmt.Errorf("nothing was run: for one seed use --seed, or --seeds N..N; --yes skips the question"))
}

// endUnfinished ends what a command keeps until all is done, and prints what it has found and what it leaves. After the
// fault of an algorithm, err, the same command would only fail again.
func endUnfinished(u *campaign.Unfinished, all bool, err error, what string, stderr io.Writer) {
	if why := u.Distrusted(); why != nil {
		fmt.Fprintf(stderr, "rocelab: nothing is kept or resumed: %s\n", terminal.Line(why.Error()))
	}
	found, kept := u.Close(all)
	if found > 0 {
		fmt.Fprintf(stderr, "rocelab: %s already done by an earlier command\n", unit.Count(found, what))
	}
	if kept > 0 {
		text := ": the same command resumes"
		if fault := (*model.AlgorithmError)(nil); errors.As(err, &fault) {
			text = ""
		}
		fmt.Fprintf(stderr, "rocelab: %s kept in %s%s\n", unit.Count(kept, what), campaign.UnfinishedName, text)
	}
}

// sampleInMemory looks at a few of n runs in memory, whose plans are made as they are needed; files has the size of
// their files measured.
func sampleInMemory(ctx context.Context, n int, planOf func(i int) (*plan.Plan, error), options mem.Options, files bool,
	done func() error) (*campaign.Estimate, error) {
	s := campaign.Sample{N: n, Files: files, Series: files}
	s.Run = func(ctx context.Context, i int, started func(*plan.Plan) func(model.Progress)) (*result.Outcome, error) {
		p, err := planOf(i)
		if err != nil {
			return nil, err
		}
		options := options
		options.Progress = started(p)
		out, err := mem.Run(ctx, p, options)
		if closed := done(); err == nil {
			err = host(closed)
		}
		return out, err
	}
	e, err := s.Do(ctx)
	if ctx.Err() != nil {
		return nil, errInterrupted
	}
	return e, err
}
