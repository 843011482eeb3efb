package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/comparison"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// compareFlags are the flags of compare.
type compareFlags struct {
	scenario   scenarioFlags
	algorithms []string
	seeds      seedFlags
	variant    string
	rows       rowFlags
	reference  string
	jobs       int
	many       manyFlags
	format     page.Format
	progress   string
}

func compareCommand(code *int) *cobra.Command {
	f := &compareFlags{}
	c := &cobra.Command{
		Use:   "compare SCENARIO --algorithm NAME|PATH[:PARAM=VALUE,...],...",
		Short: "Run a scenario under several algorithms over seeds, and compare",
		Long: `Run a scenario under each of several algorithms with each of several seeds, and
report how they differ: for each metric the median over the seeds and the range, the
ratio of the median to that of the first algorithm with a bootstrap interval, and in
one word how certain the difference is, by a Mann-Whitney test; JSON and CSV also
contain its p value. Tables fit the terminal, as those of rocelab run do.

An algorithm is a name, including the names that the scenario's key "algorithms" gives
to algorithms with parameters, or the path of a plugin's program, which contains a
slash. Parameters follow after a colon; "rocelab algorithm show NAME" lists them.
Every flow of the scenario runs that algorithm, in place of its own; all other
settings come from the scenario, or from --variant.

The expectations of a scenario are often meant for one algorithm: expectations that
are missed are noted and do not fail the comparison. A run that is red or void, or
whose flows do not complete, does fail it.

The runs are made in memory; on a testbed of containers the figures would be the
same to the bit (rocelab run --on veth). Several runs are made at a time if
processors are idle, which does not change any figure. Ctrl-C ends the comparison,
which then reports the finished runs and names the missing ones. The finished runs
are kept in rocelab-unfinished, and the same command resumes.

` + manyHelp + `

A file given by --reference contains printed values to show beside the measured ones:

    source: thesis, Table 6       # place of the printed values
    note: target RTT 5 us         # optional
    values:
      hpcc: {rtt_mean_us: 4.3223, rtt_max_us: 90.48}`,
		Example: `  rocelab compare specs/scenarios/incast.yaml --algorithm pc4,dcqcn
  rocelab compare specs/scenarios/incast.yaml --algorithm pc4,dcqcn:set=paper,g=0.01,./mine --seeds 10
  rocelab compare specs/scenarios/incast.yaml --algorithm pc4,dcqcn --set traffic.size=1MB --format markdown
  rocelab compare specs/scenarios/incast.yaml --algorithm pc4,dcqcn --metrics fct_mean_us,jain --format json`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.scenario.plugins.close()) }()
			*code, err = f.run(c, args[0])
			return f.scenario.plugins.withLogs(err)
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.algorithms, "algorithm", nil, "algorithms to compare, joined by commas: NAME or PATH, "+
		"then :param=value,... (repeatable)")
	f.scenario.source.command = c
	f.seeds.add(c, "5", "run with these seeds")
	flags.StringVar(&f.variant, "variant", "", "variant of the scenario to take the other settings from")
	flags.StringArrayVar(&f.scenario.sets, "set", nil, "change a key: path=value, such as switch.ecn.kmin=100KB "+
		"(repeatable)")
	flags.StringVar(&f.scenario.interval, "record-interval", "", "width of the time series' bins, such as 20us, "+
		"which jain is then computed from; 0 for no series")
	f.rows.add(c, comparison.MetricNames())
	flags.StringVar(&f.reference, "reference", "", "file with printed values to show beside the measured ones")
	flags.IntVar(&f.jobs, "jobs", 0, "runs at a time; 0 for one per idle processor")
	f.scenario.plugins.add(c)
	f.many.add(c)
	flags.StringVar(&f.progress, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line every 2 s), none")
	formatFlag(c, &f.format)
	return c
}

// run carries the command out and returns its exit code.
func (f *compareFlags) run(command *cobra.Command, path string) (int, error) {
	stdout := command.OutOrStdout()
	seeds, err := f.seeds.list(command.Flags().Changed)
	if err != nil {
		return 0, usage(err)
	}
	c, err := f.comparison(command.Context(), path, seeds, command.ErrOrStderr())
	if err != nil {
		return 0, err
	}
	if err := f.announce(command, c); err != nil {
		return 0, err
	}
	c.Unfinished = campaign.OpenUnfinished(campaign.UnfinishedName)
	report, err := c.Do(command.Context())
	endUnfinished(c.Unfinished, err == nil && len(report.NotRun) == 0, err, "run", command.ErrOrStderr())
	if report.Empty() {
		if err == nil {
			err = errInterrupted
		}
		return 0, err
	}
	if printed := report.Print(stdout, f.format, pageOf(stdout)); printed != nil && err == nil {
		err = host(printed)
	}
	return report.ExitCode(), err
}

// comparison reads what the flags ask for.
func (f *compareFlags) comparison(ctx context.Context, path string, seeds []uint64,
	stderr io.Writer) (*comparison.Comparison, error) {
	compared := &comparison.Comparison{Variant: f.variant, Jobs: f.jobs, Seeds: seeds}
	var err error
	if len(seeds) == 0 {
		return nil, usage(noSeeds("", scenario.ErrSeeds))
	}
	if compared.Metrics, err = comparison.Metrics(f.rows.metrics, f.rows.wide); err != nil {
		return nil, usage(fmt.Errorf("--metrics: %w", err))
	}
	compared.All = f.rows.wide || len(f.rows.metrics) > 0
	if f.reference != "" {
		if compared.Reference, err = comparison.LoadReference(ctx, f.reference); err != nil {
			return nil, usage(interrupted(ctx, err))
		}
	}
	if compared.Meter, err = meterFor(f.progress, stderr); err != nil {
		return nil, usage(err)
	}
	if compared.Meter != nil {
		compared.Meter.Together = true
	}
	entries, err := comparison.ParseEntries(f.algorithms)
	if err != nil {
		return nil, usage(fmt.Errorf("--algorithm: %w", err))
	}
	if len(entries) == 0 {
		return nil, usage(errors.New("--algorithm: name the algorithms to compare, such as --algorithm pc4,dcqcn"))
	}
	if f.jobs < 0 {
		return nil, usage(fmt.Errorf("--jobs %d: allowed are 0 and above", f.jobs))
	}
	if f.jobs == 0 {
		compared.Jobs = idleProcessors()
	}
	compared.Jobs = min(compared.Jobs, len(entries)*len(compared.Seeds))
	for _, e := range entries {
		contender, name, err := f.contender(e, path, compared.Seeds[0], compared.Jobs)
		if err != nil {
			return nil, err
		}
		compared.Scenario = name
		compared.Contenders = append(compared.Contenders, contender)
	}
	return compared, nil
}

// contender makes an entry's part of the comparison, and checks it with the
// first seed; name is the scenario's.
func (f *compareFlags) contender(entry comparison.Entry, path string, seed uint64,
	jobs int) (_ comparison.Contender, name string, err error) {
	contender, err := f.resolve(entry, path, seed)
	if err != nil {
		return comparison.Contender{}, "", err
	}
	scenario, _, err := f.plan(contender, path, seed)
	if err != nil {
		return comparison.Contender{}, "", err
	}
	return comparison.Contender{
		Entry:     entry,
		Algorithm: contender.about.Name,
		Program:   contender.program.String(),
		Plan: func(seed uint64) (*plan.Plan, error) {
			_, p, err := f.plan(contender, path, seed)
			return p, err
		},
		Run: func(ctx context.Context, plan *plan.Plan, job int, progress func(model.Progress)) (*result.Outcome, error) {
			if contender.program.Path != "" {
				defer process.TakeTurns(job)()
			}
			run := contender.newRun()
			o := mem.Options{Algorithms: run.find, Progress: progress}
			if jobs > 1 {
				o.Workers = 1
			}
			out, err := mem.Run(ctx, plan, o)
			return out, errors.Join(err, run.close())
		},
		ID: func(p *plan.Plan) (_ campaign.ID, err error) {
			run := contender.newRun()
			defer func() { err = errors.Join(err, run.close()) }()
			algorithms, err := campaign.Algorithms(p, run.Registry)
			if err != nil {
				return "", err
			}
			return campaign.IDOf("comparison's run", p, algorithms)
		},
	}, scenario.Name, nil
}

// announce prints how many runs there are, and how long they take.
func (f *compareFlags) announce(command *cobra.Command, c *comparison.Comparison) error {
	return f.many.announce(command, begun{
		runs:  len(c.Contenders) * len(c.Seeds),
		jobs:  c.Jobs,
		seeds: f.seeds.seeds,
		sample: func() (*campaign.Estimate, error) {
			e, err := c.Sample(command.Context())
			if command.Context().Err() != nil {
				return nil, errInterrupted
			}
			return e, err
		},
	})
}

// resolve finds the algorithm of an entry. A name without an algorithm may be one of the scenario's own sets of
// parameters.
func (f *compareFlags) resolve(entry comparison.Entry, path string, seed uint64) (*contender, error) {
	k, err := newContender(entry, &f.scenario.plugins)
	if err == nil || entry.IsPath {
		return k, err
	}
	var wrong *process.Error
	if errors.As(err, &wrong) {
		return nil, err
	}
	r, unopened := f.scenario.plugins.registry()
	if unopened != nil {
		return nil, err
	}
	_, p, planned := f.plan(&contender{Entry: entry, algorithms: r}, path, seed)
	var problems scenario.Errors
	switch {
	case planned == nil && len(p.Flows) > 0 && p.Flows[0].Algorithm.Name != entry.Name:
	case planned == nil, errors.As(planned, &problems) && !slices.ContainsFunc(problems,
		func(problem *scenario.Error) bool { return problem.File != algorithmOverride }):
		return nil, err
	default:
		return nil, planned
	}
	behind := entry
	behind.Name, behind.Params = p.Flows[0].Algorithm.Name, p.Flows[0].Algorithm.Params
	return newContender(behind, &f.scenario.plugins)
}

// algorithmOverride is where problems with the algorithm that plan lays over a
// scenario stand.
const algorithmOverride = "--set algorithm"

// plan makes a contender's plan of a seed.
func (f *compareFlags) plan(contender *contender, path string, seed uint64) (*scenario.Scenario, *plan.Plan, error) {
	overrides, err := f.scenario.pairs(fmt.Sprint(seed))
	if err != nil {
		return nil, nil, usage(err)
	}
	algorithm := contender.Name
	if contender.IsPath {
		algorithm = contender.about.Name
	}
	overrides["algorithm"] = algorithmYAML(algorithm, contender.Params)
	if f.variant == "" {
		overrides["variants"] = "[{name: base}]"
	}
	run := contender.newRun()
	defer run.close()
	name, text, err := f.scenario.source.text(path)
	if err != nil {
		return nil, nil, usage(err)
	}
	loaded, err := scenario.Parse(name, text, model.Checker(run.find), scenario.WithOverrides(overrides),
		scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...))
	if err != nil {
		return nil, nil, usage(err)
	}
	plans, err := loaded.Plans()
	if err != nil {
		return nil, nil, usage(err)
	}
	p := plans[0]
	if f.variant != "" {
		if p, err = experiment.Variant(loaded.Name, plans, f.variant); err != nil {
			return nil, nil, usage(err)
		}
	}
	for j := range p.Flows {
		if a := p.Flows[j].Algorithm.Name; a != cmp.Or(contender.about.Name, p.Flows[0].Algorithm.Name) {
			return nil, nil, usage(fmt.Errorf("--set gives flow %s algorithm %s, but compare needs %s",
				p.Flows[j].Name, a, contender.Text))
		}
	}
	p.Name = contender.Text
	return loaded, p, nil
}

// algorithmYAML writes an algorithm as a scenario has it, every value quoted.
func algorithmYAML(name string, params map[string]string) string {
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
	var given []string
	for _, key := range slices.Sorted(maps.Keys(params)) {
		given = append(given, quote(key)+": "+quote(params[key]))
	}
	return fmt.Sprintf("{name: %s, params: {%s}}", quote(name), strings.Join(given, ", "))
}

// idleProcessors is the number of processors that the load of the last minute leaves, at least one.
func idleProcessors() int {
	busy := comparison.Load()
	return max(1, runtime.GOMAXPROCS(0)-busy)
}
