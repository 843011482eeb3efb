package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/look/pack"
	"github.com/rocelab/rocelab/testbed/model"
)

// scenarioFlags are the flags that change a scenario before it is read.
type scenarioFlags struct {
	seed, interval string
	// noRecord asks for no time series.
	noRecord   bool
	sets       []string
	algorithms []string
	plugins    pluginFlags
	source     source
	// only names the variants to read, all if empty.
	only []string
	// pack is the scenario's pack, if it came in one: the files that it names are in there.
	pack *pack.Opened
	// choices are the algorithms of --algorithm, once they are known; unknown is why one is not an algorithm.
	choices []choice
	unknown error
}

func (f *scenarioFlags) add(c *cobra.Command) {
	f.source.command = c
	flags := c.Flags()
	flags.StringVar(&f.seed, "seed", "", "seed of all random numbers (default the scenario's)")
	flags.StringVar(&f.interval, "record-interval", "", "width of the time series' bins, such as 20us, at least "+
		"100ns, for series of all ports, queues and flows; 0 for bins that double in width to stay within a budget")
	flags.BoolVar(&f.noRecord, "no-record", false, "keep no time series")
	flags.StringArrayVar(&f.sets, "set", nil, "change a key: path=value, such as switch.ecn.kmin=100KB (repeatable)")
	flags.StringArrayVar(&f.algorithms, "algorithm", nil, "algorithms to run all traffic with, in place of the "+
		"scenario's variants, joined by commas: NAME, or a program's PATH with a slash in it, then "+
		":param=value,... (repeatable)")
	f.plugins.add(c)
}

// usesPrograms reports whether programs are likely to run algorithms.
func (f *scenarioFlags) usesPrograms() bool {
	return f.plugins.usesPrograms() || strings.Contains(strings.Join(f.algorithms, ","), "/")
}

// pairs returns the overrides that the flags ask for; a seed that is not ""
// takes the place of --seed.
func (f *scenarioFlags) pairs(seed string) (map[string]string, error) {
	pairs := map[string]string{}
	for _, s := range f.sets {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--set %q: write path=value, such as switch.buffer=16MB", s)
		}
		if _, twice := pairs[key]; twice {
			return nil, fmt.Errorf("--set %s is given twice", key)
		}
		pairs[key] = value
	}
	if seed == "" {
		seed = f.seed
	}
	if seed != "" {
		pairs["seed"] = seed
	}
	if f.interval != "" {
		pairs["record.interval"] = f.interval
	}
	if f.noRecord {
		if f.interval != "" {
			return nil, errors.New("--no-record and --record-interval exclude each other")
		}
		pairs["record.off"] = "true"
	}
	if len(f.choices) > 0 {
		pairs["variants"] = f.variants()
	}
	return pairs, nil
}

// load reads a scenario with the flags' overrides.
func (f *scenarioFlags) load(path, seed string) (*scenario.Scenario, error) {
	registry, err := f.plugins.registry()
	if err != nil {
		return nil, err
	}
	if err := f.choose(registry); err != nil {
		return nil, err
	}
	pairs, err := f.pairs(seed)
	if err != nil {
		return nil, err
	}
	name, text, err := f.source.text(path)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(name, text, f.checker(registry), scenario.WithOverrides(pairs),
		scenario.WithVariants(f.only), scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...),
		scenario.WithSignals(f.signalsOf(registry)))
	return s, f.plugins.withCause(f.asWritten(f.explain(err)))
}

// plans makes a scenario's plans, complete for containers too.
func (f *scenarioFlags) plans(scenario *scenario.Scenario) (_ []*plan.Plan, err error) {
	defer func() { err = f.plugins.withCause(err) }()
	plans, err := scenario.Plans()
	if err != nil {
		return nil, err
	}
	r, err := f.plugins.registry()
	if err != nil {
		return nil, err
	}
	if err := f.fillPlans(plans, r); err != nil {
		return nil, err
	}
	return plans, model.Embed(plans, r.Find)
}

// Which key a wrong override may have meant.

// asWritten adds the flag to problems with the values of flags, and to an unknown key of --set the whole path of the
// one that was probably meant.
func (f *scenarioFlags) asWritten(err error) error {
	var problems scenario.Errors
	if !errors.As(err, &problems) {
		return err
	}
	for _, problem := range problems {
		switch path, ok := strings.CutPrefix(problem.File, "--set "); {
		case !ok:
		case path == "seed" && f.seed != "":
			problem.File = "--seed"
			if strings.ContainsAny(f.seed, ",.-") {
				problem.Message += fmt.Sprintf(": did you mean --seeds %s?", f.seed)
			}
		case path == "record.interval" && f.interval != "":
			problem.File = "--record-interval"
		case strings.HasPrefix(problem.Message, "unknown key of scenario "):
			wrong, _, unsure := strings.Cut(problem.Message, ": allowed are ")
			if meant := scenario.KeyThatEnds(path); unsure && meant != "" {
				problem.Message = wrong + ": did you mean " + meant + "?"
			}
		}
	}
	return err
}
