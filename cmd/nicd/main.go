//go:build linux

// Command nicd is the daemon of a testbed's servers: it hosts NICs and the
// congestion-control algorithms of their flows. `rocelab deploy` and `rocelab
// run --on veth` start it in a container, with its sockets.
package main

import (
	"os"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/daemon"
)

func main() {
	os.Exit(daemon.Main("nicd", os.Args[1:], daemon.Host{Builtin: shipped.Find, Start: process.Run}))
}
