//go:build linux

// Command wand is the daemon of a testbed's long-haul paths. `rocelab deploy`
// and `rocelab run --on veth` start it in a container, with its sockets.
package main

import (
	"os"

	"github.com/rocelab/rocelab/testbed/daemon"
)

func main() { os.Exit(daemon.Main("wand", os.Args[1:], daemon.Host{})) }
