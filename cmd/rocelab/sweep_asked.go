package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// sweepAsked are the flags that say which runs there are.
type sweepAsked struct {
	scenario         scenarioFlags
	grid, list, draw []string
	draws            int
	drawSeed         uint64
	variants         []string
	seeds            string
	series, force    bool
	changed          func(flag string) bool
	programs         []string // of algorithms given by path
}

func (f *sweepAsked) add(c *cobra.Command) {
	f.scenario.source.command = c
	f.changed = c.Flags().Changed
	flags := c.Flags()
	flags.StringArrayVar(&f.grid, "grid", nil, "values of a key, combined with all values of the others: "+
		"KEY=VALUE,VALUE,... (repeatable); a key is a path as in --set")
	flags.StringArrayVar(&f.list, "list", nil, "values of keys that change together: KEY,KEY=VALUE:VALUE,VALUE:VALUE,...")
	flags.StringArrayVar(&f.draw, "draw", nil, "draw values of a key at random: KEY=LOW..HIGH, or "+
		"KEY=LOW..HIGH:log for as many in each decade (repeatable)")
	flags.IntVar(&f.draws, "draws", 0, "number of draws of the keys of --draw")
	flags.Uint64Var(&f.drawSeed, "draw-seed", 1, "seed of the draws")
	flags.StringArrayVar(&f.variants, "variant", nil, "run only this variant (repeatable)")
	flags.StringVar(&f.seeds, "seeds", "", "seeds to run every combination with: 5 means five seeds, 1 to 5; also "+
		"1..5, 1-5, or 1,2,7")
	flags.BoolVar(&f.series, "record", false, "keep the time series in the run folders, a megabyte or two for each run")
	flags.BoolVar(&f.force, "force", false, "allow a sweep of more than a million runs")
	flags.StringArrayVar(&f.scenario.sets, "set", nil, "change a key in all runs: path=value (repeatable)")
	flags.StringArrayVar(&f.scenario.algorithms, "algorithm", nil, "algorithms to run all traffic with, in place "+
		"of the scenario's variants, joined by commas: NAME, or a program's PATH with a slash in it, then "+
		":param=value,... (repeatable)")
	f.scenario.plugins.add(c)
}

// planned is a sweep as it was asked for.
type planned struct {
	name   string
	source []byte
	plan   *sweep.Plan
	maker  *sweep.Maker
}

// plan reads a scenario and plans its sweep.
func (f *sweepAsked) plan(path string) (*planned, error) {
	s, err := f.scenario.load(path, "")
	if err != nil {
		return nil, usage(err)
	}
	asked, err := s.Sweep()
	if err == nil {
		err = f.merge(asked)
	}
	if err != nil {
		return nil, usage(err)
	}
	for _, choice := range f.scenario.choices {
		if choice.IsPath {
			f.programs = append(f.programs, choice.Name)
		}
	}
	resolved, err := f.resolve(s, asked)
	if err != nil {
		return nil, usage(err)
	}
	maker, err := f.scenario.maker(s.Template())
	if err != nil {
		return nil, usage(err)
	}
	p, err := maker.Plan(asked, s.Seed, f.force)
	var many *sweep.TooMany
	if errors.As(err, &many) {
		err = fmt.Errorf("%w; --force allows it", err)
	}
	if err != nil {
		return nil, usage(f.scenario.plugins.withCause(err))
	}
	f.series = f.series || asked.Record
	return &planned{s.Name, resolved, p, maker}, nil
}

// resolve returns the scenario with all that flags say of it and of the sweep.
func (f *sweepAsked) resolve(s *scenario.Scenario, asked *scenario.Sweep) ([]byte, error) {
	pairs, err := f.scenario.pairs("")
	if err != nil {
		return nil, err
	}
	pairs["sweep"] = asked.YAML()
	whole, err := f.parse(s.File, s.Source, pairs)
	if err != nil {
		return nil, err
	}
	return whole.Resolved(), nil
}

// parse reads a scenario for a sweep.
func (f *sweepAsked) parse(name string, text []byte, overrides map[string]string) (*scenario.Scenario, error) {
	registry, err := f.scenario.plugins.registry()
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(name, text, f.scenario.plugins.checker(registry), scenario.WithOverrides(overrides),
		scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...),
		scenario.WithSignals(model.SignalsOf(registry.Find)))
	return s, f.scenario.plugins.withCause(err)
}

// maker makes the plans of a template.
func (f *scenarioFlags) maker(template *scenario.Template) (*sweep.Maker, error) {
	registry, err := f.plugins.registry()
	if err != nil {
		return nil, err
	}
	return &sweep.Maker{
		Template: template,
		Models:   model.Version,
		Whole:    sweep.UsualWhole,
		Identify: sweep.IdentifyIn(registry),
	}, nil
}

// about returns how a folder's algorithms are found.
func (f *sweepAsked) about(p *planned) sweep.About {
	about := sweep.About{Scenario: p.name, Models: model.Version}
	if f.changed("run-as") {
		about.Plugins.RunAs = f.scenario.plugins.mode
	}
	absolute := func(paths []string) (all []string) {
		for _, path := range paths {
			if full, err := filepath.Abs(path); err == nil {
				path = full
			}
			all = append(all, path)
		}
		return all
	}
	about.Plugins.Folders = absolute(f.scenario.plugins.folders)
	about.Plugins.Programs = absolute(f.programs)
	return about
}

// reopen returns the maker of a folder that was begun.
func (f *sweepAsked) reopen(folder *sweep.Folder) (*sweep.Maker, error) {
	if mode := folder.About.Plugins.RunAs; mode != "" {
		f.scenario.plugins.mode = mode
	}
	f.scenario.plugins.folders = folder.About.Plugins.Folders
	registry, err := f.scenario.plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	for _, program := range folder.About.Plugins.Programs {
		if _, err := registry.Add(program); err != nil {
			return nil, host(err)
		}
	}
	s, err := f.parse(filepath.Join(folder.Dir(), sweep.ScenarioName), folder.Source, nil)
	if err != nil {
		return nil, usage(err)
	}
	asked, err := s.Sweep()
	if err != nil {
		return nil, usage(err)
	}
	f.series = asked.Record
	return f.scenario.maker(s.Template())
}

// bench returns what runs are carried out with, each with algorithms of its own.
func (f *sweepAsked) bench(jobs int, pages bool, stderr io.Writer) func(job int) (*sweep.Bench, error) {
	programs := f.scenario.usesPrograms() || len(f.programs) > 0
	return func(job int) (*sweep.Bench, error) {
		registry, err := f.scenario.plugins.registry()
		if err != nil {
			return nil, err
		}
		own := &contenderRun{Registry: registry.Fresh()}
		done := func() {}
		if programs {
			done = process.TakeTurns(job)
		}
		bench := &sweep.Bench{
			Run: func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
				o := mem.Options{Algorithms: own.find, Progress: t.Progress}
				if jobs > 1 {
					o.Workers = 1
				}
				return mem.Run(ctx, t.Plan, o)
			},
			Complete:   func(p *plan.Plan) error { return model.Embed([]*plan.Plan{p}, own.find) },
			Algorithms: func(p *plan.Plan) ([]result.Algorithm, error) { return campaign.Algorithms(p, own.Registry) },
			Printed:    own.Printed,
			Close: func() error {
				defer done()
				return own.close()
			},
		}
		if pages {
			bench.Page = pageOfRun(stderr)
		}
		return bench, nil
	}
}
