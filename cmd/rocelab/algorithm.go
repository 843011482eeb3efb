package main

import "github.com/spf13/cobra"

// algorithmCommand is the parent of what authors of algorithms need; code is the
// exit code of a command that ends without an error.
func algorithmCommand(code *int) *cobra.Command {
	c := &cobra.Command{
		Use:   "algorithm",
		Short: "Begin an algorithm, check one, or replay what one was told",
		Long: `What an author of an algorithm needs: new writes the beginning of one, check says
whether it keeps the contract and controls congestion, replay plays the event log
of a run to it again. ` + "`rocelab algorithms`" + ` lists those that are there.`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newAlgorithmCommand(), checkAlgorithmCommand(code), replayAlgorithmCommand(code))
	return c
}
