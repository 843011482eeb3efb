//go:build linux && !mem

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/testbed/nodes/enter"
)

func execCommand(code *int) *cobra.Command {
	var testbed string
	var inside bool
	c := &cobra.Command{
		Use:   "exec NODE [flags] -- COMMAND [ARG]...",
		Short: "Run a command in a node of a testbed",
		Long: `Run a command of this host in a node's network and UTS namespaces, with the host's
tools and files and the node's interfaces. With --in-container run a program of the
container in all of its namespaces; the container only includes the node's daemon and
plugins. NODE is a switch, a NIC, a server of several NICs, or a host with its own
stack.

The exit code is the command's. /sys is the host's: list interfaces with ip or
ethtool, not by /sys/class/net.`,
		Example: `  rocelab exec leaf1 -- ip -s link
  rocelab exec h0 --testbed incast -- tcpdump -c 3 -i roce0
  rocelab exec leaf1 -- bash
  rocelab exec h0 --in-container -- /bin/nicd --help`,
		Args: func(c *cobra.Command, args []string) error {
			if c.ArgsLenAtDash() == 1 && len(args) > 1 {
				return nil
			}
			return usage(errors.New("write rocelab exec NODE -- COMMAND, such as rocelab exec leaf1 -- ip -s link"))
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return completeNodes(testbed)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			s, err := loadTestbed(testbed)
			if err != nil {
				return err
			}
			n, err := nodeOf(s, args[0])
			if err != nil {
				return err
			}
			if _, own := s.HostNamed(args[0]); own && inside {
				return usage(fmt.Errorf("host %s uses the files of this machine: leave --in-container out", args[0]))
			}
			*code, err = runIn(n, args[1:], inside)
			return err
		},
	}
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w (flags of the command go after --: rocelab exec NODE -- COMMAND)", err))
	})
	testbedFlag(c, &testbed)
	c.Flags().BoolVar(&inside, "in-container", false, "enter all namespaces, and with them the container's own files")
	return c
}

// runIn runs a command in a node. If it is one of the host, this process
// becomes it, and nothing returns.
func runIn(node enter.Node, argv []string, inside bool) (int, error) {
	if inside {
		signal.Stop(quits) // Ctrl-\ is for the command
		env := []string{"PATH=/bin:/plugins", "HOME=/tmp", "TERM=" + os.Getenv("TERM")}
		code, err := node.Inside(argv, env)
		return code, entering(err)
	}
	return 0, entering(node.Command(argv, os.Environ()))
}

// entering classes what went wrong: a command that is not there is wrong usage,
// the rest the host's.
func entering(err error) error {
	var command *exec.Error
	if errors.As(err, &command) || errors.Is(err, exec.ErrNotFound) {
		return usage(err)
	}
	return asOwner(host(err))
}

// completeNodes completes names of nodes.
func completeNodes(testbed string) ([]string, cobra.ShellCompDirective) {
	s, err := loadTestbed(testbed)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nodeNames(s), cobra.ShellCompDirectiveNoFileComp
}
