package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
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
		c := choice{Entry: e, algorithm: e.Name, variant: variantName(e, taken)}
		a, err := chosenAlgorithm(algorithms, e)
		if err == nil {
			c.algorithm, err = a.Describe().Name, checkFits(a, e)
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

// chosenAlgorithm finds the algorithm of an entry, started if it is a program.
func chosenAlgorithm(algorithms *registry.Registry, e comparison.Entry) (cc.Algorithm, error) {
	if e.IsPath {
		if err := missing(e.Name); err != nil {
			return nil, err
		}
		return algorithms.Add(e.Name)
	}
	a, err := algorithms.Lookup(e.Name)
	return a, hintPath(err, e.Name)
}

// missing is the error of a path without a file: a slip of its author, not a fault of a plugin.
func missing(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--algorithm %s: there is no such file", path)
	}
	return nil
}

// hintPath adds to the error about an algorithm how to write its program, if a file of the folder has that name.
func hintPath(err error, name string) error {
	if info, lost := os.Stat(name); err != nil && lost == nil && !info.IsDir() {
		return fmt.Errorf("%w; the file of that name is written ./%s", err, name)
	}
	return err
}

// checkFits refuses parameters that an algorithm does not have or refuses.
func checkFits(a cc.Algorithm, e comparison.Entry) error {
	p, err := hosting.Parse(a.Describe(), e.Params)
	if err == nil {
		_, err = a.New(p)
	}
	if err != nil {
		return fmt.Errorf("algorithm %s: %w%s", e.Text, err, meantParam(err, a))
	}
	return nil
}

// meantParam returns the parameter that was probably meant, if an algorithm does not have the one that err is about.
func meantParam(err error, a cc.Algorithm) string {
	var wrong *cc.ParamError
	if !errors.As(err, &wrong) {
		return ""
	}
	var names []string
	for _, p := range a.Describe().Params {
		names = append(names, p.Name)
	}
	if near := spelling.Nearest(wrong.Param, names); near != "" && !slices.Contains(names, wrong.Param) {
		return "; did you mean " + near + "?"
	}
	return ""
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

// variantName makes a variant's name of the flag's text, dcqcn-set-paper of dcqcn:set=paper and cc-mine of
// ./build/cc-mine, and keeps it distinct from the taken ones.
func variantName(e comparison.Entry, taken map[string]bool) string {
	const most = 60 // a scenario takes 64, and a number may follow
	text := e.Text
	if e.IsPath {
		text = filepath.Base(e.Name) + strings.TrimPrefix(e.Text, e.Name)
	}
	name := strings.Map(func(char rune) rune {
		if char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char >= '0' && char <= '9' ||
			strings.ContainsRune("_.+-", char) {
			return char
		}
		return '-'
	}, text)
	if name = strings.TrimLeft(name, "_.+-"); name == "" {
		name = "algorithm"
	}
	name = name[:min(len(name), most)]
	for base, n := name, 2; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[name] = true
	return name
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
