//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/live/rehearsal"
)

// liveDoctor is doctor --live: it measures the host with a scenario, and finds the dilation with which it can be held
// to the clock.
type liveDoctor struct {
	bring testbedFlags
	// most is the maximum time that a variant may run, sleeps the time for which a sleeping thread is watched.
	most, sleeps time.Duration
}

// command carries doctor --live out.
func (d *liveDoctor) command(c *cobra.Command, args []string, flags *scenarioFlags, format page.Format) error {
	switch {
	case len(args) == 0:
		return usage(errors.New("--live needs a scenario, because the result depends on it"))
	case d.most <= 0:
		return usage(fmt.Errorf("--for %v: allowed is above 0", d.most))
	}
	s, err := flags.load(args[0], "")
	if err != nil {
		return usage(err)
	}
	advice, err := d.examine(c.Context(), s, flags, args[0], c.ErrOrStderr())
	if err != nil {
		return err
	}
	return printAs(c.OutOrStdout(), format, advice, adviceDocument(advice))
}

// examine measures a scenario's plans and advises.
func (d *liveDoctor) examine(ctx context.Context, s *scenario.Scenario, flags *scenarioFlags, path string,
	stderr io.Writer) (*rehearsal.Advice, error) {
	plans, err := s.Plans()
	if err != nil {
		return nil, usage(err)
	}
	programs, err := flags.plugins.programs(plans)
	if err != nil {
		return nil, err
	}
	advice, err := rehearsal.Examine(ctx, plans, d.sleeps, d.most, func() (*rehearsal.Stage, error) {
		opened, err := openTestbed(testbedRequest{
			on:       "veth",
			scenario: s.Name,
			bring:    &d.bring,
			plans:    plans,
			plugins:  programs,
			printed:  &flags.plugins,
			stderr:   stderr,
		})
		if err != nil {
			return nil, err
		}
		runner := opened.(*vethRunner)
		return &rehearsal.Stage{
			Testbed: runner.config.Name,
			Ready:   runner.ready,
			Run: func(ctx context.Context, p *plan.Plan) (*result.Outcome, error) {
				return runner.run(ctx, p, testbedRun{standstill: defaultStandstill, silent: true})
			},
			Close: runner.close,
		}, nil
	})
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	advice.Scenario, advice.Daemons, advice.Command = s.Name, d.bring.daemons, liveCommand(path, flags, &d.bring)
	return advice, nil
}

// liveCommand is the run that doctor --live prepares, but for its dilation.
func liveCommand(path string, flags *scenarioFlags, bring *testbedFlags) string {
	words := []string{"sudo rocelab run", quoted(path)}
	add := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				words = append(words, "--"+name, quoted(v))
			}
		}
	}
	add("algorithm", flags.algorithms...)
	add("set", flags.sets...)
	add("seed", flags.seed)
	if bring.runtime != container.Auto {
		add("runtime", bring.runtime)
	}
	return strings.Join(append(words, "--on live --daemons", bring.daemons), " ")
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if strings.ContainsAny(word, " '\"\\$`&|;<>()[]{}*?!#~\t\n") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
