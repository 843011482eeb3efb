//go:build linux

package main

import (
	"os"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/container"
	"github.com/rocelab/rocelab/testbed/daemon"
)

// daemonCommand makes this program a daemon of a testbed, for containers of
// programs that have no switchd and nicd beside them, and for the pool, which
// hosts nodes of both kinds.
const daemonCommand = "daemon"

// becomePart never returns if this process is to be part of a testbed: the
// first process of a container, or a daemon.
func becomePart() {
	container.Init()
	if len(os.Args) > 1 && os.Args[1] == daemonCommand {
		os.Exit(daemon.Main("rocelab daemon", os.Args[2:], daemon.Host{Builtin: shipped.Find, Start: process.Run}))
	}
}
