//go:build mem

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func testCommand(*int) *cobra.Command {
	return withoutJudge("test", "Judge an algorithm by all checks of its contract and its behaviour")
}

func checkAlgorithmCommand(*int) *cobra.Command {
	return withoutJudge("check", "Check whether an algorithm keeps the contract and controls congestion")
}

func reproduceCommand(*int) *cobra.Command {
	return withoutJudge("reproduce", "Repeat published experiments and compare with the printed figures")
}

// withoutJudge is a command that this build does not have: Ginkgo and the reader
// of Go's sources, which the checks need, take a third of the time of building.
func withoutJudge(name, does string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Short:              does + " (not in this build)",
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return host(errors.New("this program was built without the checks of algorithms: build it without -tags mem"))
		},
	}
}

// completeChecks completes nothing: there are none.
func completeChecks(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveNoFileComp
}
