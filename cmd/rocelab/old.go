package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/registry"
)

// Spellings of the last release remain valid for this one: each does the same as its new spelling, names it in one line
// on stderr, and is not in the help. They are defined here and nowhere else.

// oldFlag is a flag as the last release called it.
type oldFlag struct {
	name string
	// commands had it, by their names after rocelab.
	commands []string
	// bare is the value that a flag without one had, "" if it needed one.
	bare string
	// now is the flag that takes its place, value what its value is now; nil for
	// the same.
	now   string
	value func(given string) (string, error)
}

var oldFlags = []oldFlag{
	{
		name: "algorithms",
		commands: []string{"run", "validate", "deploy", "doctor", "algorithms", "algorithm list", "algorithm show",
			"algorithm replay"},
		now:   "run-as",
		value: wayToRun,
	},
	{name: "algorithms", commands: []string{"compare"}, now: "algorithm"},
	{name: "name", commands: []string{"deploy"}, now: "testbed"},
	{
		name:     "json",
		commands: []string{"bench"},
		bare:     "true",
		now:      "format",
		value: func(given string) (string, error) {
			if given != "true" {
				return "", errors.New("write --format table")
			}
			return "json", nil
		},
	},
}

// wayToRun takes a way to run algorithms. Any other word is meant to choose algorithms.
func wayToRun(given string) (string, error) {
	if _, err := registry.ParseMode(given); err != nil {
		return "", fmt.Errorf("did you mean --algorithm %s? To choose how algorithms run, write --run-as builtin "+
			"or --run-as process",
			given)
	}
	return given, nil
}

// oldArgument is an argument that is now a flag.
type oldArgument struct {
	command, now string
	// most is the maximum number of them.
	most int
}

var oldArguments = []oldArgument{
	{"inspect", "testbed", 1},
	{"destroy", "testbed", 1 << 10},
}

// addOldSpellings gives the commands below root the spellings of the last release. A command without the new flag, as
// those of testbeds outside Linux are, keeps what it has.
func addOldSpellings(root *cobra.Command) {
	for _, flag := range oldFlags {
		for _, path := range flag.commands {
			c, _, err := root.Find(strings.Fields(path))
			if err != nil || c.Flags().Lookup(flag.now) == nil {
				continue
			}
			added := c.Flags().VarPF(&oldValue{flag, c}, flag.name, "", "")
			added.Hidden, added.NoOptDefVal = true, flag.bare
		}
	}
	for _, argument := range oldArguments {
		c, _, err := root.Find([]string{argument.command})
		if err == nil && c.Flags().Lookup(argument.now) != nil {
			c.Args = argument.take
		}
	}
}

// oldValue is the value of an old flag: to set it is to set the new one.
type oldValue struct {
	oldFlag
	command *cobra.Command
}

func (*oldValue) String() string { return "" }
func (*oldValue) Type() string   { return "" }

func (v *oldValue) Set(given string) (err error) {
	value := given
	if v.value != nil {
		if value, err = v.value(given); err != nil {
			return err
		}
	}
	was := "--" + v.name
	if given != v.bare {
		was += " " + given
	}
	sayOld(v.command, was, "--"+v.now+" "+value)
	return v.command.Flags().Set(v.now, value)
}

// take takes the arguments as values of the flag.
func (a oldArgument) take(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if err := usageArgs(cobra.MaximumNArgs(a.most))(c, args); err != nil {
		return err
	}
	given := slices.Concat([]string{""}, args)
	sayOld(c, c.Name()+strings.Join(given, " "), c.Name()+strings.Join(given, " --"+a.now+" "))
	for _, value := range args {
		if err := c.Flags().Set(a.now, value); err != nil {
			return usage(err)
		}
	}
	return nil
}

// oldAlgorithms is the command algorithms of the last release.
func oldAlgorithms() *cobra.Command {
	f := &algorithmView{}
	c := &cobra.Command{
		Use:    "algorithms [NAME]",
		Hidden: true,
		Args:   usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				sayOld(c, "algorithms", "algorithm list")
				return f.list(c)
			}
			sayOld(c, "algorithms "+args[0], "algorithm show "+args[0])
			return f.show(c, args)
		},
	}
	f.add(c)
	return c
}

// sayOld names the new spelling.
func sayOld(c *cobra.Command, was, now string) {
	fmt.Fprintf(c.ErrOrStderr(), "rocelab: %q is an old spelling, which the next release will refuse: write "+
		"%q\n", was, now)
}
