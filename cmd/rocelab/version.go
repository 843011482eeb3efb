package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/experiment"
)

func versionCommand() *cobra.Command {
	var modules bool
	var format experiment.Format
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, as --version does",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) error {
			build := result.ReadBuild()
			list := build.Modules
			if !modules {
				build.Modules = nil
			}
			return printAs(c.OutOrStdout(), format, build, func(w io.Writer) error {
				if err := printVersion(w); err != nil || !modules {
					return err
				}
				_, err := fmt.Fprintln(w, strings.Join(list, "\n"))
				return host(err)
			})
		},
	}
	c.Flags().BoolVar(&modules, "modules", false, "list the modules it was built from, too")
	formatFlag(c, &format)
	return c
}

// printVersion says in a line which build this is.
func printVersion(w io.Writer) error {
	build := result.ReadBuild()
	line := "rocelab " + build.Version
	if build.Revision != "" {
		line += " " + build.Revision
	}
	if build.Modified {
		line += " (modified)"
	}
	_, err := fmt.Fprintln(w, line)
	return host(err)
}
