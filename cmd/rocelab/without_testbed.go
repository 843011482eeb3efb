//go:build !linux || mem

package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/look/page"
)

// defaultStandstill is the default that --standstill shows.
const defaultStandstill = 20 * time.Second

// needsLinux is the error of what containers and veth pairs are needed for.
func needsLinux(what string) error {
	if process.OnlyMem {
		return host(fmt.Errorf("%s needs containers and veth pairs, which this program was built without: "+
			"build it without -tags mem", what))
	}
	return host(fmt.Errorf("%s needs containers and veth pairs, which only Linux has, and this is %s: use a Linux "+
		"machine, or the virtual machine that `vagrant up` creates; runs in memory work here", what, runtime.GOOS))
}

// becomePart does nothing: no process of a testbed runs here.
func becomePart() {}

// destroyOwn has nothing to destroy.
func destroyOwn() error { return nil }

// add adds the flags, which openTestbed then refuses.
func (f *testbedFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.runtime, "runtime", "auto", "container runtime (Linux only)")
	c.Flags().StringVar(&f.daemons, "daemons", "server", "a daemon per node, per server, or one pool for all (Linux only)")
}

func openTestbed(request testbedRequest) (testbedRunner, error) {
	return nil, needsLinux("--on " + request.on)
}

func benchVeth(context.Context, []string, int, page.Format, io.Writer, io.Writer) error {
	return needsLinux("bench --on veth")
}

func benchLive(context.Context, []string, int, bool, page.Format, io.Writer, io.Writer) error {
	return needsLinux("bench --on live")
}

// testbedCommands say what they need, with the names that they have on Linux.
func testbedCommands(*int) (commands []*cobra.Command) {
	for _, c := range []struct{ name, does string }{
		{"deploy", "Create a testbed and keep it"},
		{"inspect", "Show testbeds"},
		{"exec", "Run a command in a node's network"},
		{"capture", "Capture the frames at a port"},
		{"destroy", "Remove a testbed"},
		{"doctor", "Check whether this host can carry the testbed"},
		{"links", "Make links with the names of daemons and algorithms to the programs"},
		{"wire", "Put a piece of network between two interfaces: delay, bottleneck, marks, losses"},
	} {
		commands = append(commands, &cobra.Command{
			Use:                c.name,
			Short:              c.does + " (Linux only)",
			DisableFlagParsing: true,
			RunE: func(_ *cobra.Command, args []string) error {
				return needsLinux("rocelab " + c.name)
			},
		})
	}
	return commands
}
