//go:build !mem

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/model"
)

// site is where rows are carried out.
func (f *reproduceFlags) site(c *cobra.Command) (*reproduce.Site, error) {
	if f.on != "mem" && f.on != "veth" {
		return nil, usage(fmt.Errorf("--on %q: allowed are mem, veth", f.on))
	}
	if f.on == "veth" && c.Flags().Changed("jobs") && f.jobs > 1 {
		return nil, usage(errors.New("--on veth makes one run at a time: leave --jobs out"))
	}
	if f.on == "veth" {
		f.jobs = 1
	}
	registry, err := f.asked.scenario.plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	site := &reproduce.Site{
		Parse: func(name string, text []byte, changes map[string]string) (*scenario.Scenario, error) {
			return f.asked.parse(name, text, changes)
		},
		Identify: sweep.IdentifyIn(registry),
		Bench:    f.asked.bench(f.jobs, false, c.ErrOrStderr()),
		ExitCode: exit.Of,
		Models:   model.Version,
	}
	if f.on == "mem" {
		return site, nil
	}
	runner, err := openTestbed(testbedRequest{
		on:       "veth",
		scenario: "reproduce",
		bring:    &f.bring,
		plugins:  map[string]string{},
		printed:  &f.asked.scenario.plugins,
		stderr:   c.ErrOrStderr(),
		quiet:    true,
	})
	if err != nil {
		return nil, err
	}
	f.close = func() error { return host(runner.close()) }
	bench := site.Bench
	site.Bench = func(job int) (*sweep.Bench, error) {
		b, err := bench(job)
		if err != nil {
			return nil, err
		}
		b.Run = func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
			return runner.run(ctx, t.Plan, testbedRun{standstill: defaultStandstill, progress: t.Progress})
		}
		return b, nil
	}
	return site, nil
}
