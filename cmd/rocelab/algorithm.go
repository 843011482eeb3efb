package main

import "github.com/spf13/cobra"

// algorithmCommand is the parent of the commands for algorithms; code is the
// exit code of a command that ends without an error.
func algorithmCommand(code *int) *cobra.Command {
	c := &cobra.Command{
		Use:   "algorithm",
		Short: "List, show, write, check and replay algorithms",
		Long: `List the available algorithms, show the parameters of one, and help its author: new
writes a first version of one, check tests whether it keeps the contract and controls
congestion, and replay feeds it the event log of a run.`,
		Example: `  rocelab algorithm list
  rocelab algorithm show dcqcn
  rocelab algorithm new mine
  rocelab algorithm check ./build/cc-mine
  rocelab algorithm replay before`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(listAlgorithmsCommand(), showAlgorithmCommand(), newAlgorithmCommand(), checkAlgorithmCommand(code),
		replayAlgorithmCommand(code))
	return c
}
