//go:build linux && !mem

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/links"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
)

// The two programs that answer to several names.
const (
	mainProgram      = "rocelab"
	algorithmProgram = "rocelab-cc"
)

func linksCommand() *cobra.Command {
	var remove bool
	c := &cobra.Command{
		Use:   "links DIR",
		Short: "Make links with the names of daemons and algorithms to the programs",
		Long: `Make links in the existing folder DIR: switchd, nicd and wand to rocelab, and cc-NAME
for each shipped algorithm to rocelab-cc. They are optional: without a link rocelab is
its own daemon, and asks rocelab-cc for an algorithm by its name. A link makes an
algorithm a program with a path, to put into a plugin folder or to check.

Programs in DIR are linked to by their bare names, so that the folder can be
moved; otherwise links lead to this program and to the one beside it. If a file of
that name exists and is not such a link, nothing is made and the file is kept.`,
		Example: `  rocelab links ~/.local/bin
  rocelab links ~/.local/bin --remove`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
				return usage(fmt.Errorf("%s: there is no such folder", args[0]))
			}
			if remove {
				return links.Remove(c.OutOrStdout(), args[0], linkNames())
			}
			programs, err := links.Destination(args[0], mainProgram, algorithmProgram)
			if err != nil {
				return err
			}
			return links.Make(c.OutOrStdout(), programs, args[0], linkNames())
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "remove only such links from DIR")
	return c
}

// linkNames are the names of daemons and of the programs of algorithms.
func linkNames() (list []links.Link) {
	for _, a := range shipped.Served() {
		list = append(list, links.Link{Name: "cc-" + a.Describe().Name, Program: algorithmProgram})
	}
	for _, name := range daemon.Names {
		if name != daemon.Any { // no name for people: only the pool has it, in its container
			list = append(list, links.Link{Name: name, Program: mainProgram})
		}
	}
	return list
}
