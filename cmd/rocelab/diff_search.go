package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/diff"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/nodes/live/replay"
)

// search looks for the first frame that differs between the first two runs that do. The error is an interruption; the
// report has all other obstacles.
func (f *diffFlags) search(ctx context.Context, report *diff.Report) error {
	p := report.First()
	if p == nil {
		return nil
	}
	if p.Parting.From == p.Parting.To && p.Parting.Shorter {
		return nil
	}
	if reason := diff.AtOnce(p); reason != "" {
		p.Search = &diff.Outcome{Reason: reason}
		return nil
	}
	found, err := f.searchPair(ctx, report, p)
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		found = &diff.Outcome{Reason: "the first frame is not known: " + err.Error()}
	}
	p.Search = found
	return nil
}

// searchPair looks for the first frame that differs between two runs.
func (f *diffFlags) searchPair(ctx context.Context, report *diff.Report, pair *diff.PairReport) (
	_ *diff.Outcome, err error) {
	sides := [2]*diff.Side{report.A, report.B}
	var again [2]*diff.Again
	for i, run := range []result.RunID{pair.A, pair.B} {
		if again[i], err = f.remake(sides[i], run); err != nil {
			return nil, fmt.Errorf("%s: %w", sides[i].Title(run), err)
		}
		defer func() { err = errors.Join(err, again[i].Close()) }()
	}
	begin := func(ctx context.Context, i int, span diff.Span) (*diff.Half, error) {
		if program := f.programFor(sides[i]); program != "" {
			return again[i].BeginWith(ctx, program, f.halfFlags(), f.command.ErrOrStderr(), span)
		}
		return again[i].Begin(ctx, span)
	}
	found, err := report.SearchPair(ctx, pair, again, begin)
	if err != nil {
		return nil, err
	}
	for i := range found.Unlike {
		if err := f.lookIntoCapture(ctx, &found.Unlike[i]); err != nil {
			found.Unlike[i].Hint = "its capture could not be compared: " + err.Error()
		}
	}
	return found, nil
}

// remake prepares a run of a folder to be made again, with the scenario, flags and seed that it had.
func (f *diffFlags) remake(side *diff.Side, run result.RunID) (made *diff.Again, err error) {
	flags := rerunFlags{runs: runFlags{on: "mem"}, command: f.command, given: side.Origin, trust: f.trust}
	plugins := &flags.runs.scenario.plugins // of each run its own: both go on at the same time
	plugins.mode, plugins.folders, plugins.limits = f.plugins.mode, f.plugins.folders, f.plugins.limits
	plugins.start, plugins.starting.stderr = f.plugins.start, f.plugins.starting.stderr
	plugins.starting.warned = f.plugins.starting.warned
	made = &diff.Again{Title: side.Title(run), Folder: side.Path(run)}
	made.AtEnd(plugins.close)
	defer func() {
		if err != nil {
			err = errors.Join(err, made.Close())
		}
	}()
	flags.runs.scenario.pack = f.packs[side.Origin]
	only := *side.Manifest
	only.Runs = []result.RunID{run}
	if err := flags.findAlgorithms(&only); err != nil {
		return made, err
	}
	scenario := &flags.runs.scenario
	for path, value := range side.Manifest.Overrides {
		if path != "seed" {
			scenario.sets = append(scenario.sets, path+"="+value)
		}
	}
	slices.Sort(scenario.sets)
	text, err := os.ReadFile(filepath.Join(side.Dir, "scenario.yaml"))
	if err != nil {
		return made, err
	}
	path := side.Manifest.Scenario + ".yaml" // the name of a scenario is that of its file, unless it has one
	scenario.source = source{command: f.command, known: map[string][]byte{path: text}}
	flags.runs.variants = []string{run.Variant}
	if side.Live(run) {
		flags.runs.edges = side.Dir
	}
	planned, err := flags.runs.experiment(path)
	if err != nil {
		return made, err
	}
	plans, err := planned.Plans(&run.Seed)
	if err != nil {
		return made, err
	}
	i := slices.IndexFunc(plans, func(p *plan.Plan) bool { return result.VariantOf(p) == run.Variant })
	if i < 0 {
		return made, fmt.Errorf("its scenario has no variant %s", run.Variant)
	}
	made.Plan = plans[i]
	made.Plan.Record = plan.Record{Off: true} // no series: they are much of a run's time, and none of its trace
	algorithms, err := plugins.registry()
	if err != nil {
		return made, err
	}
	made.Options = mem.Options{Workers: 1, Algorithms: algorithms.Find}
	if side.Live(run) {
		recorded, err := replay.Open(side.Dir, made.Plan)
		if err != nil {
			return made, err
		}
		made.AtEnd(recorded.Close)
		made.Options.Edges = recorded.Reader
	}
	return made, nil
}

// lookIntoCapture looks for the first frame in the capture of a run that differs from the run made again: an event on a
// veth pair that is in no model can only be seen there.
func (f *diffFlags) lookIntoCapture(ctx context.Context, u *diff.Unlike) error {
	taken := diff.CaptureOf(u.Side, u.Run)
	if taken == "" {
		if u.Side.Runner(u.Run) == "veth" {
			u.Hint = "its folder has no capture: a capture of both ends of each link, with --capture NODE:PORT, " +
				"would show the frame"
		}
		return nil
	}
	ports, err := diff.CapturedPorts(taken)
	if err != nil {
		return fmt.Errorf("%s: %w", taken, err)
	}
	again, err := f.remake(u.Side, u.Run)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, again.Close()) }()
	u.Captured, err = again.Captured(ctx, taken, ports)
	if err == nil && u.Captured == nil {
		u.Hint = "its capture has the same frames as the repeated run: the frame that differs is not at one of " +
			"its ports"
	}
	return err
}
