package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/model"
)

// pluginFlags are the flags that say where algorithms come from.
type pluginFlags struct {
	mode, logs string
	folders    []string
	limits     process.Limits
	// start is the maximum time that a program may take to start.
	start time.Duration
	// opened is the registry that the flags ask for, once there is one.
	opened *registry.Registry
	// starting starts plugins.
	starting pluginStart
	// containers have what plugins printed on veth.
	containers map[string]*process.Tail
}

// add adds the flags of commands that need algorithms.
func (f *pluginFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.logs, "plugin-logs", "", "folder for the output of plugins, a file for each program, "+
		"and on veth for each container; it is created if it does not exist")
	f.addSearch(c)
}

// addSearch adds the flags of commands that only look for algorithms.
func (f *pluginFlags) addSearch(c *cobra.Command) {
	f.addLimits(c)
	f.starting.stderr, f.starting.warned = warningsOf{c}, new(sync.Once)
	c.Flags().StringVar(&f.mode, "run-as", registry.Builtin.String(),
		"how algorithms given by name run: builtin, or process, each as a separate program")
	f.start = process.StartLimit
	c.Flags().Var((*patienceFlag)(&f.start), "plugin-start",
		"longest time from a plugin's start to the end of its handshake")
	c.Flags().StringArrayVar(&f.folders, "plugin-dir", nil, "look for plugins in this folder too (repeatable; see also "+
		"$ROCELAB_PLUGINS)")
}

// patienceFlag is a flag of a time above 0.
type patienceFlag time.Duration

func (f *patienceFlag) Type() string { return "duration" }

func (f *patienceFlag) String() string { return time.Duration(*f).String() }

func (f *patienceFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("a time above 0 is allowed, such as 90s or 2m")
	}
	*f = patienceFlag(d)
	return nil
}

// registry returns the registry that the flags ask for, the same at each call.
// The caller closes the flags.
func (f *pluginFlags) registry() (*registry.Registry, error) {
	if f.opened != nil {
		return f.opened, nil
	}
	mode, err := registry.ParseMode(f.mode)
	if err != nil {
		return nil, fmt.Errorf("--run-as: %w", err)
	}
	if f.logs != "" {
		if err := os.MkdirAll(f.logs, 0o777); err != nil {
			return nil, fmt.Errorf("--plugin-logs %s: %w", f.logs, err)
		}
	}
	f.opened = registry.New(registry.Config{
		Builtin:  shipped.All(),
		Folders:  registry.Folders(f.folders),
		Mode:     mode,
		Process:  f.options(),
		Logs:     f.logs,
		Start:    f.starting.start,
		Describe: f.starting.describe,
	})
	return f.opened, nil
}

// options has the start and the limits of programs. An interruption of the command ends a start.
func (f *pluginFlags) options() process.Options {
	return process.Options{StartLimit: f.start, Limits: f.limits, Context: f.starting.stderr.context()}
}

// usesPrograms reports whether programs are likely to run algorithms.
func (f *pluginFlags) usesPrograms() bool {
	return f.mode == registry.Process.String() || len(f.folders) > 0
}

// programs returns the paths of the programs of the algorithms that plans name, by
// name; built-in algorithms have none.
func (f *pluginFlags) programs(plans []*plan.Plan) (map[string]string, error) {
	algorithms, err := f.registry()
	if err != nil {
		return nil, usage(err)
	}
	paths := map[string]string{}
	for _, p := range plans {
		for i := range p.Flows {
			name := p.Flows[i].Algorithm.Name
			if _, known := paths[name]; known {
				continue
			}
			program, err := algorithms.Program(name)
			if err != nil {
				return nil, usage(err)
			}
			paths[name] = program.Path
		}
	}
	for name, path := range paths {
		if path == "" {
			delete(paths, name)
		} else if paths[name], err = filepath.Abs(path); err != nil {
			return nil, host(err)
		}
	}
	return paths, nil
}

// withLogs adds to an algorithm's fault how to see all output of its program, unless that is known already.
func (f *pluginFlags) withLogs(err error) error {
	var fault *model.AlgorithmError
	if !errors.As(err, &fault) || f.logs != "" || len(f.printed()) == 0 {
		return err
	}
	return fmt.Errorf("%w; --plugin-logs FOLDER keeps its whole output, including the stack", err)
}

// printed returns the programs' output so far, by program, and on veth by container, each by the name of its log.
func (f *pluginFlags) printed() map[string][]byte {
	texts := map[string][]byte{}
	if f.opened != nil {
		texts = f.opened.Printed()
	}
	for container, tail := range f.containers {
		if text := tail.Bytes(); len(text) > 0 {
			texts[container+".log"] = text
		}
	}
	return texts
}

// ofContainer takes what plugins print in a container.
func (f *pluginFlags) ofContainer(name string) *process.Tail {
	const size = 1 << 20 // as of a program
	if f.containers == nil {
		f.containers = map[string]*process.Tail{}
	}
	if f.containers[name] == nil {
		f.containers[name] = process.NewTail(size)
	}
	return f.containers[name]
}

// close ends the programs that were started.
func (f *pluginFlags) close() error {
	if f.opened == nil {
		return nil
	}
	return errors.Join(host(f.opened.Close()), f.starting.probes.close())
}

// checker returns what a scenario asks about the algorithms that it names.
func (f *pluginFlags) checker(algorithms *registry.Registry) scenario.CheckAlgorithm {
	check := model.Checker(algorithms.Find)
	var found sync.Map // names; thousands of entries have a few
	return func(name string, params map[string]string) error {
		if _, ok := found.Load(name); !ok {
			if _, err := algorithms.Lookup(name); err != nil {
				return err
			}
			found.Store(name, nil)
		}
		return check(name, params)
	}
}

// withCause makes a plugin's failure the cause of an error, which may have only its text, or nothing of it: the exit
// code is the plugin's. A plugin that failed is an error even if its answer was not needed. If the host could not ask
// one, it is the host's.
func (f *pluginFlags) withCause(err error) error {
	if f.opened == nil || errors.As(err, new(*process.Error)) {
		return err
	}
	fault := f.opened.Fault()
	if lacked := f.opened.Lacked(); fault == nil && err != nil && lacked != nil &&
		strings.Contains(err.Error(), lacked.Error()) {
		return host(err)
	}
	switch {
	case fault == nil:
		return err
	case err == nil:
		return fault
	case strings.Contains(err.Error(), fault.Error()):
		return &pluginError{err, fault}
	}
	return fmt.Errorf("%w: %w", err, fault)
}

// pluginError is an error that a plugin caused.
type pluginError struct {
	error
	cause *process.Error
}

func (e *pluginError) Unwrap() []error { return []error{e.error, e.cause} }
