package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/tune"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// tuneFlags are the flags of every search.
type tuneFlags struct {
	scenario        scenarioFlags
	metric          string
	against         []string
	seeds, unseen   string
	unseenScenarios []string
	variant, out    string
	slack           float64
	steps, jobs     int
	budget          int
	many            manyFlags
	onto            ontoFlags
	format          page.Format
	progress        string
}

func (f *tuneFlags) add(c *cobra.Command, metric string, against ...string) {
	flags := c.Flags()
	f.scenario.source.command = c
	flags.StringVar(&f.metric, "for", metric, "`metric` that counts first: see rocelab metrics")
	flags.StringSliceVar(&f.against, "against", against, "metrics that count after it (repeatable)")
	flags.StringVar(&f.seeds, "seeds", "3", "seeds that the search starts with"+seedsHelp)
	flags.StringVar(&f.unseen, "holdout", "101..105", "seeds to check the recommendation with, different from the "+
		"search's: 101..105 is five; 101 is only that one; also 101-105, or 101,205")
	flags.StringArrayVar(&f.unseenScenarios, "holdout-scenario", nil, "scenario to check the recommendation on, "+
		"in place of the scenarios of the search (repeatable)")
	flags.StringVar(&f.variant, "variant", "", "variant of the scenario to take")
	flags.StringArrayVar(&f.scenario.sets, "set", nil, "change a key: path=value, such as switch.buffer=16MB (repeatable)")
	flags.Float64Var(&f.slack, "slack", 5, "allowed loss of the recommendation against the best in the first "+
		"metric, in percent")
	flags.IntVar(&f.budget, "budget", 0, "largest number of runs of the search before the check; 0 for four times "+
		"the number for all combinations with the first seeds")
	flags.StringVar(&f.out, "out", "", "folder to keep results of runs in; an interrupted search resumes from it")
	flags.IntVar(&f.jobs, "jobs", 0, "runs at a time; 0 for one per idle processor")
	f.scenario.plugins.add(c)
	f.many.add(c)
	f.onto.add(c)
	flags.StringVar(&f.progress, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line every 2 s), none")
	formatFlag(c, &f.format)
}

func tuneCommand(code *int) *cobra.Command {
	f := &tuneFlags{}
	c := &cobra.Command{
		Use:   "tune KEY=VALUES... SCENARIO",
		Short: "Search for values of keys that improve a metric, and check them on other seeds",
		Long: `Try values of keys of a scenario, and recommend some. VALUES are VALUE,VALUE,... or
LOW..HIGH, which stands for --steps values from one to the other, each the same factor
above the previous one. Combinations that the scenario refuses, such as kmin above
kmax, are left out and counted. All others are run with --seeds; combinations that may
still be within --slack of the best --for metric get more seeds, until the
recommendation stands out or --budget is spent.

The recommendation is, of the combinations that are certainly within --slack of the
best (95 %, from resamples of the seeds), the one whose --against metrics have the
smallest product. It is then run with the seeds of --holdout, and on the scenarios of
--holdout-scenario if there are any, beside the ones that cannot be distinguished from
it, the front and its neighbours. It breaks its promise if its --for metric is not
within --slack of the best there, or if it certainly costs 5 % more in the --against
metrics than the combination that the same rule selects there: exit code 1.

` + manyHelp + `

If all combinations give the same result, or none can be distinguished from the others
within the budget, nothing is recommended: exit code 3.
"rocelab tune ecn" is the same search for the thresholds of a switch.`,
		Example: `  rocelab tune algorithm.params.target_qtime=1us,2us,5us pc4.yaml --against queueing_p99_us
  rocelab tune switch.ecn.kmin=0.5bdp..4bdp incast.yaml --for goodput_gbps --against queueing_p99_us --steps 4`,
		Args: usageArgs(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.scenario.plugins.close()) }()
			*code, err = f.runKeys(c, args[:len(args)-1], args[len(args)-1])
			return f.scenario.plugins.withLogs(err)
		},
	}
	f.add(c, "fct_p99_us")
	c.Flags().IntVar(&f.steps, "steps", 5, "values of LOW..HIGH")
	c.AddCommand(tuneECNCommand(code))
	return c
}

// runKeys searches the values of keys.
func (f *tuneFlags) runKeys(c *cobra.Command, keys []string, path string) (int, error) {
	var axes []tune.Axis
	var names []string
	for _, key := range keys {
		axis, err := tune.ParseAxis(key, f.steps)
		if err != nil {
			return 0, usage(err)
		}
		if slices.Contains(names, axis.Path) {
			return 0, usage(fmt.Errorf("%s is given twice", axis.Path))
		}
		axes, names = append(axes, axis), append(names, axis.Path)
	}
	s, err := f.search(c)
	if err != nil {
		return 0, err
	}
	s.Candidates = tune.Grid(axes)
	if err := f.patterns(s, path); err != nil {
		return 0, err
	}
	skipped, err := f.possible(s)
	if err != nil {
		return 0, err
	}
	if err := f.objectives(s); err != nil {
		return 0, err
	}
	return f.answer(c, s, names, func(*tune.Answer) (facts, warnings []string, err error) { return nil, skipped, nil })
}

// possible takes combinations that a scenario refuses out of the search, and returns a line on them.
func (f *tuneFlags) possible(s *tune.Search) (skipped []string, err error) {
	impossible, err := s.Possible()
	switch {
	case err != nil:
		return nil, usage(err)
	case impossible == nil:
		return nil, nil
	}
	return []string{impossible.Skipped()}, nil
}

// search is a search with what all have in common.
func (f *tuneFlags) search(c *cobra.Command) (*tune.Search, error) {
	s := &tune.Search{Slack: f.slack / 100, Budget: f.budget, Jobs: f.jobs}
	var err error
	if s.Seeds, err = parseSeeds(f.seeds); err != nil {
		return nil, usage(err)
	}
	if len(s.Seeds) == 0 {
		return nil, usage(errors.New("--seeds is empty: a search needs at least one"))
	}
	if s.UnseenSeeds, err = parseHoldout(f.unseen); err != nil {
		return nil, usage(err)
	}
	for _, seed := range s.UnseenSeeds {
		if slices.Contains(s.Seeds, seed) {
			return nil, usage(fmt.Errorf("--holdout %s has seed %d, which the search uses (--seeds %s): give "+
				"other seeds; a single number is that one seed", f.unseen, seed, f.seeds))
		}
	}
	if !(f.slack >= 0 && f.slack <= 100) {
		return nil, usage(fmt.Errorf("--slack %g: allowed is 0 to 100", f.slack))
	}
	if f.budget < 0 {
		return nil, usage(fmt.Errorf("--budget %d: allowed are 0 and above", f.budget))
	}
	if f.jobs < 0 {
		return nil, usage(fmt.Errorf("--jobs %d: allowed are 0 and above", f.jobs))
	}
	if f.jobs == 0 {
		s.Jobs = idleProcessors()
	}
	if s.Meter, err = meterFor(f.progress, c.ErrOrStderr()); err != nil {
		return nil, usage(err)
	}
	if s.Meter != nil {
		s.Meter.Together = true
	}
	registry, err := f.scenario.plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	s.Run = func(ctx context.Context, p *plan.Plan, _ int, progress func(model.Progress)) (*result.Outcome, error) {
		run := &contenderRun{Registry: registry.Fresh()}
		out, err := mem.Run(ctx, p, mem.Options{Algorithms: run.find, Progress: progress, Workers: 1})
		return out, errors.Join(err, run.close())
	}
	return s, nil
}

// parseHoldout reads --holdout. A single number is that seed, not a number of seeds, which would be the first ones,
// those that the search sees.
func parseHoldout(text string) ([]uint64, error) {
	if seed, err := strconv.ParseUint(text, 10, 64); err == nil {
		return []uint64{seed}, nil
	}
	seeds, err := scenario.ParseSeeds(text)
	if err != nil || len(seeds) == 0 {
		return nil, fmt.Errorf("--holdout %q: allowed are seeds, such as 101..105, 101-105, 101,205, or 101, "+
			"which is only that one; at most %d", text, scenario.MaxSeeds)
	}
	return seeds, nil
}

// pattern is a scenario as a pattern of a search.
func (f *tuneFlags) pattern(path string) (*tune.Pattern, error) {
	registry, err := f.scenario.plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	pairs, err := f.scenario.pairs("")
	if err != nil {
		return nil, usage(err)
	}
	name, text, err := f.scenario.source.text(path)
	if err != nil {
		return nil, usage(err)
	}
	if f.variant != "" {
		f.scenario.only = []string{f.variant}
	}
	loaded, err := scenario.Parse(name, text, model.Checker(registry.Find), scenario.WithOverrides(pairs),
		scenario.WithVariants(f.scenario.only), scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...))
	if err != nil {
		return nil, usage(err)
	}
	template, variant := loaded.Template(), f.variant
	names := template.Variants()
	switch {
	case variant == "" && len(names) > 0:
		return nil, usage(fmt.Errorf("%s has variants: write --variant with one of %s", loaded.Name,
			strings.Join(names, ", ")))
	case variant != "" && !slices.Contains(names, variant):
		return nil, usage(fmt.Errorf("--variant %s: %s has %s", variant, loaded.Name, strings.Join(names, ", ")))
	}
	maker, err := f.scenario.maker(template)
	if err != nil {
		return nil, usage(err)
	}
	return &tune.Pattern{Name: loaded.Name, Maker: maker, Variant: variant}, nil
}

// patterns are those of a scenario: the search does not see the same with other seeds, unless other scenarios are given
// for that.
func (f *tuneFlags) patterns(s *tune.Search, path string) error {
	seen, err := f.pattern(path)
	if err != nil {
		return err
	}
	s.Patterns = []*tune.Pattern{seen}
	for _, other := range f.unseenScenarios {
		p, err := f.pattern(other)
		if err != nil {
			return err
		}
		s.Unseen = append(s.Unseen, p)
	}
	if len(s.Unseen) == 0 {
		s.Unseen = s.Patterns
	}
	return nil
}

// objectives are the metrics of the flags.
func (f *tuneFlags) objectives(s *tune.Search) error {
	metrics, err := experiment.Metrics(append([]string{f.metric}, f.against...))
	if err != nil {
		return usage(err)
	}
	probe, err := s.Patterns[0].Probe()
	if err != nil {
		return usage(err)
	}
	for _, m := range metrics {
		if m.Better != result.Lower && m.Better != result.Higher {
			return usage(fmt.Errorf("metric %s has no better direction: a search needs a metric that is better "+
				"when high, or when low", m.Name))
		}
		s.Objectives = append(s.Objectives, tune.Objective{Metric: m, Zero: tune.Zero(m, probe)})
	}
	return nil
}

// answer carries the search out, prints it and returns the exit code; about adds the caller's knowledge of the advice.
func (f *tuneFlags) answer(c *cobra.Command, s *tune.Search, axes []string,
	about func(*tune.Answer) (facts, warnings []string, err error)) (code int, err error) {
	if err := f.onto.read(c); err != nil {
		return 0, err
	}
	if f.out != "" {
		if s.Memory, err = tune.OpenMemory(filepath.Clean(f.out)); err != nil {
			return 0, host(err)
		}
		defer func() { err = errors.Join(err, host(s.Memory.Close())) }()
	} else {
		s.Unfinished = campaign.OpenUnfinished(campaign.UnfinishedName)
	}
	if err := f.announce(c, s); err != nil {
		return 0, err
	}
	a, err := s.Do(c.Context())
	endUnfinished(s.Unfinished, err == nil, err, "run", c.ErrOrStderr())
	if errors.Is(err, context.Canceled) {
		return 0, errInterrupted
	}
	if err != nil {
		var problems scenario.Errors
		if errors.As(err, &problems) {
			return 0, usage(err)
		}
		return 0, err
	}
	facts, warnings, err := about(a)
	if err != nil {
		return 0, err
	}
	said := a.Document(axes, facts, warnings)
	if err := said.Print(c.OutOrStdout(), f.format, pageOf(c.OutOrStdout())); err != nil {
		return 0, host(err)
	}
	if err := f.onto.write(c, s, a, f.format); err != nil {
		return 0, err
	}
	switch {
	case a.Nothing != "":
		return exit.CodeVerdict, nil
	case a.Missed():
		return exit.CodeFailed, nil
	}
	return exit.CodePass, nil
}

// announce prints how many runs the search may make, and how long they take.
func (f *tuneFlags) announce(c *cobra.Command, s *tune.Search) error {
	registry, err := f.scenario.plugins.registry()
	if err != nil {
		return usage(err)
	}
	return f.many.announce(c, begun{
		runs:   s.MostRuns(),
		jobs:   s.Jobs,
		atMost: true,
		seeds:  f.seeds,
		sample: func() (*campaign.Estimate, error) {
			run := &contenderRun{Registry: registry.Fresh()}
			options := mem.Options{Algorithms: run.find, Workers: 1}
			return sampleInMemory(c.Context(), len(s.Candidates), s.Plan, options, false, run.close)
		},
	})
}
