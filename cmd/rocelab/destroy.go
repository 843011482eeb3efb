//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/spelling"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	"github.com/rocelab/rocelab/testbed/nodes/probe"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func destroyCommand() *cobra.Command {
	var names []string
	var all, force bool
	c := &cobra.Command{
		Use:   "destroy",
		Args:  usageArgs(cobra.NoArgs),
		Short: "Remove testbeds",
		Long: `Remove testbeds: containers with all their processes, namespaces with their links,
cgroups and state. The same removes a testbed that was only partly brought up and the
remains of a killed run, even if the records are damaged or missing. Without --testbed
it removes the only testbed. A testbed that is gone already is not an error. A
testbed with a run in progress is kept, unless --force is given. Interfaces of this
host that a killed run had at its edges are restored.

It never waits forever. If something cannot be removed within seconds, such as a
cgroup that contains a process of another program, it is named, and everything else is
removed (exit code 4). A folder of testbeds that belongs to another user, or that
others can write to, is refused, and folders that are not a testbed's are kept.`,
		Example: `  rocelab destroy
  rocelab destroy --testbed incast --testbed lab2
  rocelab destroy --all`,
		RunE: func(c *cobra.Command, _ []string) error {
			names, err := testbedsToDestroy(names, all)
			if err != nil {
				return err
			}
			var words []string
			var failed error
			process.Sweep()              // what holds the programs of algorithms in memory
			if veth.CheckRoot() == nil { // or what follows says so
				failed = host(errors.Join(probe.Clear(c.Context(), veth.Root()), container.ClearProbes(c.Context())))
			}
			for _, name := range names {
				word, err := destroy(c.Context(), name, force)
				failed = errors.Join(failed, err)
				if err == nil {
					words = append(words, word)
				}
			}
			if names == nil {
				words = []string{"there is no testbed"}
			}
			if veth.CheckRoot() == nil { // after the daemons that used them
				interfaces, err := iface.PutBack(veth.Root())
				failed = errors.Join(failed, host(err))
				for _, name := range interfaces {
					words = append(words, fmt.Sprintf("interface %s is as it was before its run", name))
				}
			}
			if words != nil {
				if _, err := fmt.Fprintln(c.OutOrStdout(), strings.Join(words, "\n")); err != nil && failed == nil {
					failed = host(err)
				}
			}
			return failed
		},
	}
	c.Flags().StringArrayVar(&names, "testbed", nil, "the testbed (default the only one; repeatable)")
	c.RegisterFlagCompletionFunc("testbed", completeTestbeds)
	c.Flags().BoolVar(&all, "all", false, "all testbeds of this host")
	c.Flags().BoolVar(&force, "force", false, "also remove testbeds with a run in progress, which ends with an error")
	return c
}

// testbedsToDestroy are the testbeds to destroy.
func testbedsToDestroy(given []string, all bool) ([]string, error) {
	switch {
	case all && len(given) > 0:
		return nil, usage(errors.New("--testbed and --all exclude each other"))
	case len(given) > 0:
		for _, name := range given {
			if err := veth.CheckName(name); err != nil {
				return nil, usage(err)
			}
		}
		return given, nil
	}
	names, err := testbedNames()
	if err != nil || all || len(names) <= 1 {
		return names, err
	}
	return nil, usage(fmt.Errorf("several testbeds exist, %s: name one with --testbed, or destroy all with --all",
		strings.Join(names, ", ")))
}

// destroy destroys one testbed and returns the outcome.
func destroy(ctx context.Context, name string, force bool) (string, error) {
	if !force && (&veth.State{Name: name}).Busy() {
		return "", usage(fmt.Errorf("testbed %s has a run in progress: end that first, or give --force", name))
	}
	err := veth.Destroy(ctx, name)
	var missing *veth.NotFoundError
	if errors.As(err, &missing) {
		word := "there is no testbed " + name
		if near := spelling.Nearest(name, missing.There); near != "" {
			word += ": did you mean " + near + "?"
		}
		return word, nil
	}
	if err != nil {
		return "", testbedError(asOwner(fmt.Errorf("destroy testbed %s: %w", name, err)))
	}
	return fmt.Sprintf("testbed %s is gone", name), nil
}
