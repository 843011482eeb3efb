package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rocelab/rocelab/internal/spelling"
)

// What a wrong word may have meant.

// nouns are words that other programs have as commands, and what does that
// here.
var nouns = map[string]string{
	"check":     "did you mean rocelab algorithm check?",
	"delete":    "did you mean rocelab destroy?",
	"down":      "did you mean rocelab destroy?",
	"graph":     drawing,
	"list":      "did you mean rocelab algorithm list, rocelab metrics, or rocelab inspect for testbeds?",
	"ls":        "did you mean rocelab algorithm list, rocelab metrics, or rocelab inspect for testbeds?",
	"new":       "did you mean rocelab algorithm new?",
	"plugin":    "did you mean rocelab algorithm list?",
	"plugins":   "did you mean rocelab algorithm list?",
	"ps":        "did you mean rocelab inspect?",
	"replay":    "did you mean rocelab algorithm replay?",
	"report":    drawing,
	"results":   "run folders are in rocelab-runs, each with columns.md, which explains its files",
	"runs":      "run folders are in rocelab-runs, each with columns.md, which explains its files",
	"scenario":  scenarios,
	"scenarios": scenarios,
	"show":      "did you mean rocelab algorithm show NAME?",
	"simulate":  "did you mean rocelab run?",
	"start":     "did you mean rocelab run, or rocelab deploy?",
	"stop":      "did you mean rocelab destroy?",
	"testbed":   "did you mean rocelab inspect?",
	"testbeds":  "did you mean rocelab inspect?",
	"up":        "did you mean rocelab deploy?",
	"variants":  "did you mean rocelab validate SCENARIO?",
	"view":      drawing,
}

const (
	drawing = "each run draws into report.html of its run folder: rocelab report RUN... -o FILE is one page of several, " +
		"rocelab plot draws for papers"

	scenarios = "scenarios are files: rocelab comes with some in specs/scenarios, and rocelab validate FILE shows one"
)

// noSuchCommand refuses a word that is not a command, and names the one that was meant.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(fmt.Errorf("there is no command %q (%s)", args[0], hintCommand(c, args[0])))
}

// refuseUnknownHelp makes help refuse words that are not commands.
func refuseUnknownHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				return errors.Join(usage(err), noSuchCommand(found, rest))
			}
		}
	}
}

// hintCommand names the command that may have been meant by a word after c.
func hintCommand(c *cobra.Command, word string) string {
	isRoot := !c.HasParent()
	if _, err := os.Stat(word); err == nil && isRoot {
		return "did you mean rocelab run " + word + "?"
	}
	if extension := filepath.Ext(word); isRoot && (extension == ".yaml" || extension == ".yml") {
		return "did you mean rocelab run " + word + "?"
	}
	if !slices.Contains([]string{"rocelab", "algorithm"}, c.Name()) {
		return spelling.Hint(word, commandNames(c), "see "+c.CommandPath()+" --help")
	}
	if slices.Contains(shippedNames(), word) || !isRoot && strings.Contains(word, "/") {
		return "did you mean rocelab algorithm show " + word + "?"
	}
	if near := spelling.Nearest(word, commandNames(c)); near != "" && nouns[word] == "" {
		return fmt.Sprintf("did you mean %s %s?", c.CommandPath(), near)
	}
	if said := nouns[word]; said != "" && isRoot {
		return said
	}
	if near := spelling.Nearest(word, shippedNames()); near != "" {
		return "did you mean rocelab algorithm show " + near + "?"
	}
	return "see " + c.CommandPath() + " --help"
}

// commandNames are the commands below c that help lists.
func commandNames(c *cobra.Command) (names []string) {
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand() {
			names = append(names, below.Name())
		}
	}
	return names
}

// wrongFlag is the error of flags that cannot be read. For an unknown flag it names the one that was meant, or the
// commands that have it.
func wrongFlag(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if errors.As(err, &missing) && missing.GetSpecifiedName() == "o" && c.Flags().Lookup("out") != nil {
		return usage(fmt.Errorf("%w (did you mean --out?)", err))
	}
	if !errors.As(err, &missing) || len(missing.GetSpecifiedName()) < 2 {
		return usage(fmt.Errorf("%w (see %s --help)", err, c.CommandPath()))
	}
	name := missing.GetSpecifiedName()
	if near := spelling.Nearest(name, flagNames(c)); near != "" {
		return usage(fmt.Errorf("%w (did you mean --%s?)", err, near))
	}
	if having := commandsWith(c.Root(), name); len(having) > 0 {
		has := "has"
		if len(having) > 1 {
			has = "have"
		}
		return usage(fmt.Errorf("%w (%s %s it; see %s --help)", err, strings.Join(having, ", "), has, c.CommandPath()))
	}
	return usage(fmt.Errorf("%w (see %s --help)", err, c.CommandPath()))
}

// flagNames are the flags of a command that its help shows.
func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// commandsWith are the commands at c and below that have a flag.
func commandsWith(c *cobra.Command, flag string) (paths []string) {
	if slices.Contains(flagNames(c), flag) && !c.Hidden {
		paths = append(paths, c.CommandPath())
	}
	for _, below := range c.Commands() {
		paths = append(paths, commandsWith(below, flag)...)
	}
	return paths
}
