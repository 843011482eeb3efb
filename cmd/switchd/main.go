//go:build linux

// Command switchd is the daemon of a testbed's switches. `rocelab deploy` and
// `rocelab run --on veth` start it in a container, with its sockets.
package main

import (
	"os"

	"github.com/rocelab/rocelab/testbed/daemon"
)

func main() { os.Exit(daemon.Main("switchd", os.Args[1:], daemon.Host{})) }
