package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/replay"
)

// testbedRunner runs plans on a testbed of containers; openTestbed opens one. Only Linux has
// such testbeds.
type testbedRunner interface {
	// run carries out a plan.
	run(context.Context, *plan.Plan, testbedRun) (*result.Outcome, error)
	// close takes the testbed away, if it is not one that was deployed to stay.
	close() error
}

// testbedRequest describes the testbed to open, and its purpose.
type testbedRequest struct {
	// on is the value of --on that asks for it.
	on string
	// deployed names a testbed that was deployed; "" brings up a new one for the scenario by the flags in bring.
	deployed, scenario string
	bring              *testbedFlags
	// plans are those that will run, as far as known: the host must have the resources of the largest.
	plans []*plan.Plan
	// plugins are the programs to take along, by the name of their algorithm;
	// printed takes what they print.
	plugins map[string]string
	printed *pluginFlags
	stderr  io.Writer
	// dilation is that of a live run, whose interfaces are looked at first; 0 for another.
	dilation int64
	// quiet reports nothing on stderr.
	quiet bool
	// realtime gives threads that run windows real-time priority.
	realtime bool
}

// testbedRun describes how to carry out one plan.
type testbedRun struct {
	captures   []string
	captureTo  io.Writer
	standstill time.Duration
	dilation   int64 // 0 for a run that is held to no clock
	silent     bool  // nothing comes in at edges
	// handOver begins a file of the run's folder; nil without one.
	handOver func(name string) (*os.File, error)
	// journals are those of the edges, in the plan's order; none if nothing is kept.
	journals []replay.Journal
	progress func(model.Progress)
}

// testbedFlags say how a testbed is brought up.
type testbedFlags struct {
	runtime, daemons string
}
