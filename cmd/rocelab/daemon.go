//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"time"

	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/judge/surroundings"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
	"github.com/rocelab/rocelab/testbed/nodes/probe"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

// becomePart never returns if this process is to be part of a testbed, the first
// process of a container or a daemon, or of a check of an algorithm.
func becomePart() {
	surroundings.Init()
	container.Init()
	probe.Become()
	daemon.Become(daemon.Host{Builtin: shipped.Find, Start: process.Run})
}

// destroyOwn takes away the testbeds and the probes that end with this process.
func destroyOwn() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return errors.Join(veth.DestroyOwn(ctx), probe.DestroyOwn(ctx))
}
