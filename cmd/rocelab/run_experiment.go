package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// experiment reads the scenario.
func (f *runFlags) experiment(path string) (*experiment.Experiment, error) {
	seeds, err := parseSeeds(f.seeds)
	if err != nil {
		return nil, err
	}
	if len(seeds) > 0 && f.scenario.seed != "" {
		return nil, errors.New("--seed and --seeds exclude each other")
	}
	f.scenario.only = f.variants
	scenario, err := f.scenario.load(path, "")
	if err != nil {
		return nil, err
	}
	for _, name := range f.variants {
		a := f.scenario.choices
		if len(a) > 0 && !slices.ContainsFunc(a, func(c choice) bool { return c.variant == name }) {
			return nil, fmt.Errorf("--variant %s: --algorithm takes the place of the scenario's variants; write --set "+
				"algorithm=%s to keep them", name, a[0].algorithm)
		}
	}
	overrides, err := f.scenario.pairs("")
	if err != nil {
		return nil, err
	}
	return &experiment.Experiment{
		Name:      scenario.Name,
		Digest:    scenario.Digest,
		Source:    scenario.Source,
		Resolved:  scenario.Resolved(),
		Overrides: overrides,
		Seeds:     seeds,
		Variants:  f.variants,
		Capture:   len(f.captures) > 0,
		Plans: func(seed *uint64) ([]*plan.Plan, error) {
			if seed == nil {
				return f.plans(scenario)
			}
			s, err := f.scenario.load(path, strconv.FormatUint(*seed, 10))
			if err != nil {
				return nil, usage(err)
			}
			return f.plans(s)
		},
	}, nil
}

// plans makes the scenario's plans, and checks the names of captured ports
// before anything is written.
func (f *runFlags) plans(scenario *scenario.Scenario) ([]*plan.Plan, error) {
	plans, err := f.scenario.plans(scenario)
	for _, p := range plans {
		if err == nil && f.runs(p) {
			err = errors.Join(model.CheckCaptures(p, f.captures), f.checkEdges(p))
		}
		if err == nil && f.runs(p) && f.events != nil {
			_, err = f.events.chosen(p)
		}
	}
	return plans, usage(err)
}

// announce prints how many runs there are, and of runs in memory how long they take.
func (f *runFlags) announce(ctx context.Context, planned *experiment.Experiment) error {
	if len(planned.Seeds) < 2 {
		return nil
	}
	plansOf := func(seed *uint64) ([]*plan.Plan, error) {
		plans, err := planned.Plans(seed)
		if err != nil {
			return nil, err
		}
		return experiment.Chosen(planned.Name, plans, planned.Variants)
	}
	first, err := plansOf(&planned.Seeds[0])
	if err != nil {
		return err
	}
	m := begun{runs: len(planned.Seeds) * len(first), jobs: 1, seeds: f.seeds}
	if f.on == "mem" && f.edges == "" {
		algorithms, err := f.scenario.plugins.registry()
		if err != nil {
			return usage(err)
		}
		m.sample = func() (*campaign.Estimate, error) {
			planOf := func(i int) (*plan.Plan, error) {
				plans, err := plansOf(&planned.Seeds[i/len(first)])
				if err != nil {
					return nil, err
				}
				return plans[i%len(first)], nil
			}
			options := mem.Options{Workers: f.workers, Codec: f.codec, Algorithms: algorithms.Find}
			e, err := sampleInMemory(ctx, m.runs, planOf, options, !f.noFolder, algorithms.Close)
			return e, f.scenario.plugins.withCause(err)
		}
	}
	return f.many.announce(f.scenario.source.command, m)
}

// runs reports whether a plan's variant is to run.
func (f *runFlags) runs(plan *plan.Plan) bool {
	return len(f.variants) == 0 || slices.Contains(f.variants, plan.Name)
}

// folder begins the run folder, and reports the folders that killed runs have left.
func (f *runFlags) folder(name string, stderr io.Writer) (*result.Folder, error) {
	create := func() (*result.Folder, error) { return result.Create(f.out) }
	if f.out == "" {
		create = func() (*result.Folder, error) { return result.CreateNext("rocelab-runs", filepath.Base(name)) }
	}
	folder, err := create()
	if err != nil {
		return nil, err
	}
	if left := folder.Left(); len(left) > 0 {
		fmt.Fprintf(stderr, "rocelab: a run that was killed left %s: folders of variants with a summary.json are "+
			"complete, and the rest may be deleted\n", terminal.Line(strings.Join(left, ", ")))
	}
	if folder.Replaced() {
		fmt.Fprintf(stderr, "rocelab: %s of a run that was killed is replaced\n", terminal.Line(folder.Part()))
	}
	if f.events != nil {
		f.events.folder = folder
	}
	return folder, nil
}
