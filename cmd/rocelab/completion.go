package main

import (
	_ "embed"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/textfile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
)

// The words that a shell offers at the TAB key: names that exist, of algorithms, variants, metrics, keys and so on.
// Completing starts no program and reads at most the scenario's file.

// completer offers values for the word that is being typed.
type completer = cobra.CompletionFunc

// completers are for flags by their names, which mean the same in every command. Flags for testbeds have theirs at
// their definitions.
var completers = map[string]completer{
	"algorithm":  completeAlgorithms,
	"run-as":     words("builtin", "process"),
	"on":         words("mem", "veth", "live"),
	"progress":   words("auto", "plain", "none"),
	"variant":    completeVariants,
	"metrics":    listOf(metricNames),
	"set":        completeSet,
	"grid":       completeSet,
	"draw":       completeSet,
	"seeds":      words("1-3", "1-5", "1-10"),
	"seed":       words(),
	"capture":    words(),
	"event-log":  words("all"),
	"check":      completeChecks,
	"label":      words("contract", "behaviour", "quick"),
	"plugin-dir": folders,
	"lang":       words("go", "python"),
	"template":   words("sender", "receiver"),
	"reference":  yamlFiles,
}

// addCompletions gives every command and flag below c what completes it.
func addCompletions(c *cobra.Command) {
	for name, complete := range completers {
		if c.Flags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, complete) // an error says that it has one
		}
	}
	switch use := c.Use; {
	case c.ValidArgsFunction != nil:
	case strings.Contains(use, "SCENARIO"):
		c.ValidArgsFunction = first(yamlFiles)
	case strings.Contains(use, "[NAME]"), strings.HasPrefix(use, "show "), strings.HasPrefix(use, "check "):
		c.ValidArgsFunction = first(completeAlgorithms)
	}
	for _, sub := range c.Commands() {
		addCompletions(sub)
	}
}

// words completes one of a few words.
func words(list ...string) completer {
	return cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)
}

// first completes the first argument, and offers none beyond it.
func first(complete completer) completer {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(c, args, typed)
	}
}

func yamlFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// listOf completes the last of words joined by commas, and leaves out those already given.
func listOf(words func() []string) completer {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		given := strings.Split(before, ",")
		var offered []string
		for _, word := range words() {
			if !slices.Contains(given, word) {
				offered = append(offered, before+word)
			}
		}
		return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

func metricNames() (names []string) {
	for _, m := range result.Metrics() {
		if !m.FilesOnly() {
			names = append(names, m.Name)
		}
	}
	return names
}

// completeAlgorithms completes names of algorithms, joined by commas, files
// where a path is begun, and parameters behind a colon.
func completeAlgorithms(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	const noSpace = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	start := strings.LastIndexByte(typed, ',') + 1
	before, word := typed[:start], typed[start:]
	if name, typed, ok := strings.Cut(word, ":"); ok {
		if param, _, ok := strings.Cut(typed, "="); ok {
			return choicesOf(name, param, before+name+":"), noSpace
		}
		return parametersOf(name, before+name+":"), noSpace
	}
	if strings.Contains(word, "/") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var offered []string
	for _, a := range shipped.All() {
		about := a.Describe()
		offered = append(offered, explained(before+about.Name, about.Summary))
	}
	var given []string
	if f := c.Flags().Lookup("plugin-dir"); f != nil {
		given, _ = c.Flags().GetStringArray("plugin-dir")
	}
	for _, name := range programNames(registry.Folders(given)) {
		offered = append(offered, explained(before+name, "a program of a plugin folder"))
	}
	return offered, noSpace
}

// explained is an offer with its explanation. Behind a comma it has none, for
// cobra's script for bash takes explained offers with commas for others.
func explained(offer, about string) string {
	if strings.Contains(offer, ",") {
		return offer
	}
	return cobra.CompletionWithDesc(offer, about)
}

// parametersOf lists a shipped algorithm's parameters, written behind before.
func parametersOf(name, before string) (offered []string) {
	at := slices.IndexFunc(shipped.All(), func(a cc.Algorithm) bool { return a.Describe().Name == name })
	if at < 0 {
		return nil
	}
	for _, p := range shipped.All()[at].Describe().Params {
		offered = append(offered, explained(before+p.Name+"=", p.Doc))
	}
	return offered
}

// choicesOf lists the words that a parameter may be, written behind before.
func choicesOf(name, param, before string) (offered []string) {
	for _, a := range shipped.All() {
		for _, p := range a.Describe().Params {
			if a.Describe().Name == name && p.Name == param {
				for _, choice := range p.Choices {
					offered = append(offered, before+param+"="+choice)
				}
			}
		}
	}
	return offered
}

// plainName matches the names that may be offered: a shell puts the chosen one into the command line as it is.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.+-]*$`)

// programNames are the names that programs in plugin folders have by the custom
// of cc-NAME. Asking a program for its name would start it.
func programNames(folders []string) (names []string) {
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name, ok := strings.CutPrefix(e.Name(), "cc-")
			if ok && !e.IsDir() && plainName.MatchString(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// completeVariants completes the names of the variants of the scenario that is
// given before.
func completeVariants(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	source, err := textfile.Regular(args[0], scenario.MaxSource) // a pipe would be waited for
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return scenario.VariantNames(source), cobra.ShellCompDirectiveNoFileComp
}

// bashFallback is needed for completion in bash without the package bash-completion, as in small containers.
//
//go:embed completion.bash
var bashFallback string

// completeInBash adds the fallback to the script that completion bash prints.
// The output of root is set by then.
func completeInBash(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	bash, _, err := root.Find([]string{"completion", "bash"})
	if err != nil {
		panic(err) // cobra always adds it
	}
	bash.Long = `Generate the autocompletion script for bash. For the current shell:

    source <(rocelab completion bash)

For every new shell, put that line into ~/.bashrc. The package bash-completion is
used if it is installed; it is not required.`
	script := bash.RunE
	bash.RunE = func(c *cobra.Command, args []string) error {
		if err := script(c, args); err != nil {
			return err
		}
		_, err := io.WriteString(c.OutOrStdout(), bashFallback)
		return host(err)
	}
}
