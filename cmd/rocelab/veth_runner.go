//go:build linux && !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/container"
	"github.com/rocelab/rocelab/testbed/nodes/doctor"
	"github.com/rocelab/rocelab/testbed/nodes/live/iface"
	"github.com/rocelab/rocelab/testbed/nodes/live/realtime"
	"github.com/rocelab/rocelab/testbed/nodes/veth"
)

func (f *testbedFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.runtime, "runtime", container.Auto, "container runtime: "+strings.Join(runtimes, ", "))
	c.Flags().StringVar(&f.daemons, "daemons", string(veth.PerServer), "a daemon per node, per server, or one pool for "+
		"all: node, server, pool")
	c.RegisterFlagCompletionFunc("runtime", cobra.FixedCompletions(runtimes, cobra.ShellCompDirectiveNoFileComp))
	c.RegisterFlagCompletionFunc("daemons", cobra.FixedCompletions([]string{string(veth.PerNode), string(veth.PerServer),
		string(veth.Pool)}, cobra.ShellCompDirectiveNoFileComp))
	if c.Flags().Lookup("testbed") != nil {
		c.RegisterFlagCompletionFunc("testbed", completeTestbeds)
	}
}

// config is the part of a testbed's configuration that the flags give.
func (f *testbedFlags) config(name, scenario string) (veth.Config, error) {
	daemons, err := veth.ParseDaemons(f.daemons)
	if err != nil {
		return veth.Config{}, usage(fmt.Errorf("--daemons: %w", err))
	}
	if !slices.Contains(runtimes, f.runtime) {
		return veth.Config{}, usage(fmt.Errorf("--runtime: %q is not a container runtime: allowed are %s", f.runtime,
			strings.Join(runtimes, ", ")))
	}
	return veth.Config{Name: name, Scenario: scenario, Runtime: f.runtime, Daemons: daemons}, nil
}

// runtimes are the programs that can run the containers.
var runtimes = []string{container.Auto, container.Runc, container.Builtin}

// defaultStandstill is the maximum time that a run on a testbed may stand still.
const defaultStandstill = veth.Standstill

// vethRunner is a testbed that was deployed, or one of its own that it brings up
// for the first plan and takes away at the end.
type vethRunner struct {
	config veth.Config
	// printed takes what plugins print.
	printed *pluginFlags
	stderr  io.Writer
	quiet   bool
	// realtime gives threads that run windows real-time priority.
	realtime bool
	up       *veth.Testbed
	kept     bool
}

// openTestbed returns the testbed that is asked for.
func openTestbed(request testbedRequest) (testbedRunner, error) {
	config, err := request.bring.config("", request.scenario)
	if err != nil {
		return nil, err
	}
	if request.deployed != "" {
		if err := veth.CheckName(request.deployed); err != nil {
			return nil, usage(fmt.Errorf("--testbed: %w", err))
		}
	}
	config.Plugins = request.plugins
	if request.printed != nil {
		config.Limits = request.printed.limits
	}
	config.Limits = config.Limits.OrDefault()
	var need doctor.Footprint // of a deployed testbed much is there already; Run looks at the rest
	if request.deployed == "" {
		need = needOf(request.plans, config.Daemons)
	}
	if err := doctor.RequiredFor(need); err != nil {
		return nil, host(err)
	}
	for _, p := range request.plans {
		if request.dilation > 0 {
			if err := veth.CheckEdges(p, request.dilation); err != nil {
				return nil, testbedError(err)
			}
		}
	}
	if request.realtime {
		if err := realtime.Check(); err != nil {
			return nil, host(err)
		}
	}
	// A reader of stdout or stderr that goes away must not end this process, and
	// leave the testbed: the write returns an error.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	runner := &vethRunner{
		config:   config,
		printed:  request.printed,
		stderr:   request.stderr,
		quiet:    request.quiet,
		realtime: request.realtime,
	}
	if request.deployed == "" {
		tellOfLeft(request.stderr)
		runner.config.Name, runner.config.Ephemeral = ownPrefix+fmt.Sprint(os.Getpid()), true
		return runner, nil
	}
	up, err := veth.Open(request.deployed)
	if err != nil {
		return nil, testbedError(err)
	}
	runner.up, runner.kept = up, true
	if l := config.Limits; !keeps(l.Memory, up.Limits.Memory, process.DefaultLimits.Memory) ||
		!keeps(l.Tasks, up.Limits.Tasks, process.DefaultLimits.Tasks) {
		return nil, usage(fmt.Errorf("testbed %s was deployed with --plugin-memory %v and --plugin-tasks %d: "+
			"deploy it again to change them", up.Name, up.Limits.Memory, up.Limits.Tasks))
	}
	return runner, nil
}

// ownPrefix and the process ID of a run make the name of a testbed of its own.
const ownPrefix = "run-"

// tellOfLeft names the testbeds of runs that were killed.
func tellOfLeft(stderr io.Writer) {
	list, _ := veth.List() // what is damaged, inspect tells of
	for _, s := range list {
		pid, own := strings.CutPrefix(s.Name, ownPrefix)
		if _, err := os.Stat("/proc/" + pid); own && s.Ephemeral && errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(stderr, "rocelab: a run that was killed left testbed %[1]s: rocelab destroy --testbed "+
				"%[1]s removes it\n", terminal.Line(s.Name))
		}
	}
}

// keeps reports whether a limit leaves a deployed testbed's as it is: it is the same,
// or not given.
func keeps[T comparable](asked, deployed, standard T) bool {
	return asked == deployed || asked == standard
}

// run carries out a plan.
func (b *vethRunner) run(ctx context.Context, plan *plan.Plan, run testbedRun) (*result.Outcome, error) {
	options := veth.Options{
		Captures:   run.captures,
		CaptureTo:  run.captureTo,
		Plugins:    b.config.Plugins,
		Standstill: run.standstill,
		Dilation:   run.dilation,
		Realtime:   b.realtime,
		Journals:   run.journals,
		Silent:     run.silent,
		Progress:   run.progress,
	}
	if run.handOver != nil {
		options.HostOutput = func(name string) (*os.File, error) {
			return run.handOver(result.HostsFolder + "/" + name + ".log")
		}
	}
	if b.printed != nil {
		options.PluginStart = b.printed.start
	}
	if l := b.config.Limits.Log; l != process.DefaultLimits.Log {
		options.PluginLog = l
	}
	if err := b.ready(ctx, plan); err != nil {
		return nil, err
	}
	if len(options.Plugins) == 0 {
		out, err := b.up.Run(ctx, plan, options)
		return out, testbedError(err)
	}
	logs, err := markLogs(b.printed, b.up.State)
	if err != nil {
		return nil, host(err)
	}
	out, err := b.up.Run(ctx, plan, options)
	return out, errors.Join(testbedError(err), host(logs.keep()))
}

// ready brings a testbed up for a plan, if there is none that the plan fits.
func (b *vethRunner) ready(ctx context.Context, plan *plan.Plan) error {
	if !b.kept && b.up != nil && b.up.Fits(plan) != nil { // another graph than the last
		if err := b.close(); err != nil {
			return host(err)
		}
	}
	if b.up != nil {
		return nil
	}
	return b.deploy(ctx, plan)
}

func (b *vethRunner) deploy(ctx context.Context, plan *plan.Plan) error {
	began := time.Now()
	up, err := veth.Deploy(ctx, plan, b.config)
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	} else if err != nil {
		return testbedError(err)
	}
	b.up = up
	if !b.quiet {
		fmt.Fprintf(b.stderr, "testbed: %s, up in %.2f s\n", partsOf(up), time.Since(began).Seconds())
	}
	return nil
}

// partsOf counts what a testbed is made of.
func partsOf(t *veth.Testbed) string {
	return fmt.Sprintf("%s (%s), %s, %s", unit.Count(len(t.Containers), "container"), t.Runtime,
		unit.Count(len(t.Links), "veth pair"), unit.Count(t.Participants(), "daemon"))
}

// close takes away the testbed, if it is not one that was deployed to stay.
func (b *vethRunner) close() error {
	if b.kept || b.up == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err := b.up.Destroy(ctx)
	b.up = nil
	return err
}

// testbedError classes what went wrong with a testbed: wrong usage, a fault of
// an algorithm, or the host.
func testbedError(err error) error {
	var algorithm *model.AlgorithmError
	var missing *veth.NotFoundError
	var unfit *veth.FitError
	var misnamed *veth.NameError
	var command *veth.CommandError
	var taken *iface.Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &algorithm):
		return err
	case errors.As(err, &missing), errors.As(err, &unfit), errors.As(err, &misnamed),
		errors.As(err, &command), errors.As(err, &taken):
		return usage(err)
	case errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return host(err)
}
