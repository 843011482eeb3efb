//go:build linux && !mem

package main

import (
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/container"
	"github.com/rocelab/rocelab/testbed/daemon"
)

// becomePart never returns if this process is to be part of a testbed: the
// first process of a container, or a daemon.
func becomePart() {
	container.Init()
	daemon.Become(daemon.Host{Builtin: shipped.Find, Start: process.Run})
}
