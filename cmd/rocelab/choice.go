package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/testbed/many/comparison"
)

// choice is an algorithm that --algorithm names, and the variant that runs with
// it.
type choice struct {
	comparison.Entry
	// variant names the variant.
	variant string
	// algorithm is the algorithm's name in scenarios, which a program itself gives.
	algorithm string
}

// choose finds the algorithms of --algorithm. A name without an algorithm may be one of the scenario's own: f.unknown
// keeps why the algorithm does not exist.
func (f *scenarioFlags) choose(algorithms *registry.Registry) error {
	if f.choices != nil || len(f.algorithms) == 0 {
		return nil
	}
	entries, err := comparison.ParseEntries(f.algorithms)
	if err != nil {
		return fmt.Errorf("--algorithm: %w", err)
	}
	taken := map[string]bool{}
	for _, e := range entries {
		c := choice{Entry: e, algorithm: e.Name, variant: e.VariantName(taken)}
		a, err := e.Find(algorithms)
		if err == nil {
			c.algorithm, err = a.Describe().Name, e.CheckFits(a)
		} else if !e.IsPath {
			if f.unknown == nil {
				f.unknown = err
			}
			err = nil
		}
		if err != nil {
			return err
		}
		if err := c.besides(f.choices); err != nil {
			return err
		}
		f.choices = append(f.choices, c)
	}
	return nil
}

// oneEntry reads --algorithm of a command that takes one algorithm.
func oneEntry(given ...string) (comparison.Entry, error) {
	entries, err := comparison.ParseEntries(given)
	if err != nil {
		return comparison.Entry{}, fmt.Errorf("--algorithm: %w", err)
	}
	if len(entries) != 1 {
		return comparison.Entry{}, fmt.Errorf("--algorithm %s: one is allowed, and there are "+
			"%d", strings.Join(given, ","),
			len(entries))
	}
	return entries[0], nil
}

// besides refuses a choice whose algorithm has the name of another's and is
// not the same one: a scenario tells algorithms apart by their names.
func (c *choice) besides(others []choice) error {
	for _, other := range others {
		if c.algorithm == other.algorithm && c.Name != other.Name {
			return fmt.Errorf("--algorithm: %s and %s are both algorithm %s: in a run each name may occur once; "+
				"rocelab compare takes both", other.Name, c.Name, c.algorithm)
		}
	}
	return nil
}

// override is the variant as a scenario has it.
func (c *choice) override() string {
	algorithm := c.algorithm
	if len(c.Params) > 0 || algorithm != c.variant && !c.IsPath {
		algorithm = algorithmYAML(c.algorithm, c.Params)
	}
	return fmt.Sprintf("{name: %s, algorithm: %s}", c.variant, algorithm)
}

// variants is the override that has the chosen algorithms take the place of the
// scenario's variants.
func (f *scenarioFlags) variants() string {
	var list []string
	for i := range f.choices {
		list = append(list, f.choices[i].override())
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// variantsOverride is where problems with that override lie.
const variantsOverride = "--set variants"

// explain returns why an algorithm that was chosen is unknown, if that is the only fault of a scenario.
func (f *scenarioFlags) explain(err error) error {
	var problems scenario.Errors
	if f.unknown == nil || !errors.As(err, &problems) || slices.ContainsFunc(problems,
		func(problem *scenario.Error) bool { return problem.File != variantsOverride }) {
		return err
	}
	return f.unknown
}
