package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// completeSet completes key=value of a scenario's override, a step of the path
// at a time: switch., switch.ecn., switch.ecn.kmin=. Of a command that judges an
// algorithm it completes that one's parameters.
func completeSet(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	const noSpace = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	if !strings.Contains(c.Use, "SCENARIO") {
		name := strings.Join(args, "")
		if f := c.Flags().Lookup("algorithm"); f != nil && f.Changed {
			name = strings.Trim(f.Value.String(), "[]")
		}
		return parametersOf(name, ""), noSpace
	}
	if path, _, ok := strings.Cut(typed, "="); ok {
		return pairs(path, scenario.ValuesAt(path)), cobra.ShellCompDirectiveNoFileComp
	}
	var offered []string
	for _, key := range scenario.KeysBelow(typed[:strings.LastIndexByte(typed, '.')+1]) {
		end := "="
		if key.Section {
			end = "."
		}
		offered = append(offered, cobra.CompletionWithDesc(key.Path+end, key.Doc))
	}
	return offered, noSpace
}

// pairs are a key with each of some values.
func pairs(key string, values []string) (list []string) {
	for _, value := range values {
		list = append(list, key+"="+value)
	}
	return list
}
