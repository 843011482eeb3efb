package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
)

func versionCommand() *cobra.Command {
	var modules bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			b := result.ReadBuild()
			line := "rocelab " + b.Version
			if b.Revision != "" {
				line += " " + b.Revision
			}
			if b.Modified {
				line += " (modified)"
			}
			if modules {
				for _, m := range b.Modules {
					line += "\n" + m
				}
			}
			_, err := fmt.Fprintln(c.OutOrStdout(), line)
			return host(err)
		},
	}
	c.Flags().BoolVar(&modules, "modules", false, "list the modules it was built from, too")
	return c
}
