package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
)

// checkPlace refuses flags that mean nothing where the run is to take place;
// changed reports whether a flag was given.
func (f *runFlags) checkPlace(changed func(flag string) bool) error {
	given := func(names ...string) string {
		if i := slices.IndexFunc(names, changed); i >= 0 {
			return names[i]
		}
		return ""
	}
	if f.on != "live" && changed("dilate") {
		return errors.New("--dilate needs --on live: only such a run is held to the wall clock")
	}
	if f.on != "live" && changed("realtime") {
		return errRealtime
	}
	if f.on != "live" && changed("journal") {
		return errors.New("--journal needs --on live: only in such a run frames come in from outside")
	}
	if f.on != "mem" && changed("edges") {
		return errors.New("--edges is a replay, which runs in memory: leave --on out")
	}
	switch {
	case f.on == "mem":
		if name := given("testbed", "runtime", "daemons", "standstill"); name != "" {
			return fmt.Errorf("--%s needs --on veth or live", name)
		}
	case f.onTestbed() && given("workers", "codec") != "":
		return fmt.Errorf("--workers and --codec need --on mem: on %s every frame is bytes, and daemons share the "+
			"nodes",
			f.on)
	case f.onTestbed() && changed("event-log"):
		return fmt.Errorf("--event-log needs --on mem: on %s algorithms run in the containers; the same run in "+
			"memory has the same events", f.on)
	case f.onTestbed() && f.testbed != "":
		if name := given("runtime", "daemons"); name != "" {
			return fmt.Errorf("--%s goes with a new testbed: rocelab deploy chose it for %s", name, f.testbed)
		}
	}
	return nil
}

// onTestbed reports whether the run takes place on a testbed of containers.
func (f *runFlags) onTestbed() bool { return f.on == "veth" || f.on == "live" }

// chooseRunner gives the experiment its runner; close ends that.
func (f *runFlags) chooseRunner(planned *experiment.Experiment, stderr io.Writer) (close func() error, err error) {
	switch f.on {
	case "mem":
		algorithms, err := f.scenario.plugins.registry()
		if err != nil {
			return nil, usage(err)
		}
		said := map[string]bool{}
		planned.Run = func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
			if f.edges == "" { // or they came with the run itself
				printWarnings(stderr, t.Plan, algorithms.Find, said)
			}
			out, err := f.replayed(ctx, t, mem.Options{
				Workers:    f.workers,
				Codec:      f.codec,
				Captures:   f.captures,
				CaptureTo:  t.Capture,
				Algorithms: algorithms.Find,
				Progress:   t.Progress,
			})
			return out, errors.Join(f.scenario.plugins.withCause(err), host(algorithms.Close())) // plugins are new with each run
		}
		return func() error { return nil }, nil
	case "veth", "live":
		plans, err := planned.Plans(nil)
		if err != nil {
			return nil, err
		}
		plans = slices.DeleteFunc(plans, func(plan *plan.Plan) bool { return !f.runs(plan) })
		programs, err := f.scenario.plugins.programs(plans)
		if err != nil {
			return nil, err
		}
		dilation := int64(0)
		if f.on == "live" {
			dilation = f.dilation
		}
		runner, err := openTestbed(testbedRequest{
			on:       f.on,
			dilation: dilation,
			deployed: f.testbed,
			scenario: planned.Name,
			bring:    &f.bring,
			plans:    plans,
			plugins:  programs,
			printed:  &f.scenario.plugins,
			stderr:   stderr,
			quiet:    f.progress == "none",
			realtime: f.realtime,
		})
		if err != nil {
			return nil, err
		}
		said := map[string]bool{}
		planned.Run = func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
			if f.on == "live" { // as a run in memory would have said, and this is one that costs time
				printWarnings(stderr, t.Plan, shipped.Find, said)
			}
			return f.recorded(ctx, t, runner, testbedRun{
				captures:   f.captures,
				captureTo:  t.Capture,
				standstill: f.standstill,
				dilation:   dilation,
				handOver:   t.HandOver,
				progress:   t.Progress,
			})
		}
		return runner.close, nil
	}
	return nil, usage(fmt.Errorf("--on %q: allowed are mem, veth, live", f.on))
}

// runLogged runs a plan in memory, with the event logs that are asked for.
func (f *runFlags) runLogged(ctx context.Context, t experiment.Task, options mem.Options) (*result.Outcome, error) {
	plan := t.Plan
	if f.events == nil {
		return mem.Run(ctx, plan, options)
	}
	find, err := f.events.recording(plan, t.Folder, options.Algorithms)
	if err != nil {
		return nil, usage(err)
	}
	options.Algorithms = find
	out, err := mem.Run(ctx, plan, options)
	return out, errors.Join(err, f.events.close())
}

// realtimeHelp is the help of --realtime.
const realtimeHelp = "give the threads that run windows real-time priority, SCHED_FIFO at its lowest level; a " +
	"thread that uses more of a core than allowed loses it, and is named; needs two cores"

// errRealtime refuses --realtime without a clock.
var errRealtime = errors.New("--realtime needs --on live: only such a run is held to the wall clock")
