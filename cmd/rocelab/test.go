package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/specs/acceptance"
	"github.com/rocelab/rocelab/testbed/comparison"
	"github.com/rocelab/rocelab/testbed/model"
)

// testFlags are the flags of test.
type testFlags struct {
	algorithm   string
	sets        []string
	plugins     pluginFlags
	on, label   string
	junit, json string
	list        bool
	bring       testbedFlags
	progress    string
}

func testCommand(code *int) *cobra.Command {
	f := &testFlags{}
	c := &cobra.Command{
		Use:   "test --algorithm NAME|PATH",
		Short: "Hold an algorithm to the acceptance specs",
		Long: `Run the acceptance specs against an algorithm: it completes incasts without loss
and keeps queues bounded, shares fairly among equals, makes room and takes it
back, survives losses and an outage, stands wrong clocks, is deterministic, and
does on containers what it does in memory. The bounds are wide; the figures stand
beside them.

An algorithm is a name, or the path of a plugin's program, which has a slash in
it. One that declares itself uncontrolled is exempt from what asks for control.
Ctrl-C ends the specs and reports what is done.

Labels are ` + strings.Join(acceptance.KnownLabels, ", ") + `.

The specs labelled veth need containers, and so do all with --on veth; without
the rights, or where the host lacks something, those are skipped, and --on veth
is refused, with what is lacking (exit code 4).`,
		Example: `  rocelab test --algorithm dcqcn
  rocelab test --algorithm ./mine --set gain=0.5
  rocelab test --algorithm ./mine --label 'recovery || clocks' --junit report.xml
  sudo rocelab test --algorithm ./mine --on veth
  rocelab test --list`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(c *cobra.Command, _ []string) (err error) {
			defer func() { err = errors.Join(err, f.plugins.close()) }()
			if f.list {
				return f.printList(c.OutOrStdout())
			}
			*code, err = f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr())
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.algorithm, "algorithm", "", "NAME of an algorithm, or PATH of a plugin's program")
	flags.StringArrayVar(&f.sets, "set", nil, "give the algorithm a parameter: param=value (repeatable)")
	flags.StringVar(&f.on, "on", "mem", "what to run on: mem (this process), veth (containers joined by veth pairs, real packets; needs root)")
	flags.StringVar(&f.label, "label", "", "run the specs of these labels: labels joined by ||, && and !")
	flags.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
	flags.StringVar(&f.json, "json", "", "write a JSON report to this file")
	flags.BoolVar(&f.list, "list", false, "list the specs that --label chooses, and run none")
	flags.StringVar(&f.plugins.mode, "run-as", registry.Builtin.String(), "how an algorithm given by name runs: builtin, or process, as a program of its own")
	flags.StringArrayVar(&f.plugins.folders, "plugin-dir", nil, "look for plugins in this folder too (repeatable; see also $ROCELAB_PLUGINS)")
	flags.StringVar(&f.plugins.logs, "plugin-logs", "", "folder for what plugins print, a file for each program; must exist")
	flags.StringVar(&f.progress, "progress", "auto", "on stderr: auto (a line on a terminal), plain (a line for each spec), none")
	f.bring.add(c)
	return c
}

// run carries the command out and returns its exit code.
func (f *testFlags) run(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	done, ended, err := f.meter(stderr)
	if err != nil {
		return 0, usage(err)
	}
	for _, path := range []string{f.junit, f.json} {
		if err := writable(path); err != nil {
			return 0, host(err)
		}
	}
	subject, close, err := f.subject(stderr)
	if err != nil {
		return 0, err
	}
	r, err := acceptance.Run(ctx, acceptance.Config{Subjects: []*acceptance.Subject{subject}, Filter: f.label, Done: done})
	ended()
	if errors.Is(err, acceptance.ErrInterrupted) {
		err = errInterrupted
	}
	if closed := close(); closed != nil && err == nil {
		err = host(closed)
	}
	if r == nil {
		return 0, usage(fmt.Errorf("--label: %w", err))
	}
	for _, report := range []struct {
		path  string
		write func(string) error
	}{{f.junit, r.WriteJUnit}, {f.json, r.WriteJSON}} {
		if report.path == "" {
			continue
		}
		if written := report.write(report.path); written != nil && err == nil {
			err = host(written)
		}
	}
	if printed := printSpecs(stdout, subject.Title, r, coloured(stdout)); printed != nil && err == nil {
		err = host(printed)
	}
	switch {
	case err != nil:
		return 0, err
	case !r.Passed():
		return result.ExitFailed, nil
	}
	return result.ExitPass, f.nothingDone(r, subject)
}

// nothingDone is the error of a host on which none of the chosen specs could
// run.
func (f *testFlags) nothingDone(r *acceptance.Result, s *acceptance.Subject) error {
	for _, spec := range r.Specs {
		if spec.Outcome != acceptance.Skipped || spec.Why != s.NoVeth {
			return nil
		}
	}
	return host(errors.New(s.NoVeth))
}

// writable tells whether a report can be written at path; "" is none.
func writable(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return to.Close()
}

// subject finds the algorithm and the ways to run it; close ends those.
func (f *testFlags) subject(stderr io.Writer) (_ *acceptance.Subject, close func() error, err error) {
	if f.algorithm == "" {
		return nil, nil, usage(errors.New("--algorithm: name the algorithm to test, or the path of its program"))
	}
	if f.on != "mem" && f.on != "veth" {
		return nil, nil, usage(fmt.Errorf("--on %q: allowed are mem, veth", f.on))
	}
	e, err := comparison.ParseEntry(f.algorithm)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("--algorithm: %w", err))
	}
	for _, s := range f.sets {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" {
			return nil, nil, usage(fmt.Errorf("--set %q: write param=value", s))
		}
		if _, twice := e.Params[key]; twice {
			return nil, nil, usage(fmt.Errorf("--set %s is given twice", key))
		}
		e.Params[key] = value
		e.Text += " " + s
	}
	k, err := newContender(e, &f.plugins)
	if err != nil {
		return nil, nil, err
	}
	s := &acceptance.Subject{Title: e.Text, About: k.about, Algorithm: algorithmYAML(k.about.Name, e.Params), Main: k.form(), OnVeth: f.on == "veth"}
	s.Other, s.NoOther = f.otherForm(k)
	close, err = f.onVeth(s, k, stderr)
	return s, close, err
}

// form is the way in which a contender runs.
func (c *contender) form() acceptance.Form {
	name := "built in"
	if c.program != "" {
		name = c.program
	}
	return acceptance.Form{Name: name, Open: func() (model.Find, func() error) {
		back := func() {}
		if c.program != "" {
			back = process.TakeTurns(0)
		}
		stage := c.stage()
		return stage.find, func() error {
			defer back()
			return stage.close()
		}
	}}
}

// otherForm finds the second form of an algorithm, or says why there is none.
func (f *testFlags) otherForm(k *contender) (*acceptance.Form, string) {
	if k.IsPath {
		return nil, "it was given as a program, which has no form that is built in"
	}
	other := *k
	if k.program != "" {
		if _, ok := shipped.Find(k.Name); !ok {
			return nil, "it is a program, and no form of it is built in"
		}
		other.program = ""
		form := other.form()
		return &form, ""
	}
	plugins := pluginFlags{mode: registry.Process.String(), folders: f.plugins.folders}
	r, err := plugins.registry()
	if err == nil {
		other.program, err = r.Path(k.Name)
	}
	if err != nil {
		return nil, err.Error()
	}
	about, err := process.Probe(other.program, process.Options{})
	switch {
	case err != nil:
		return nil, err.Error()
	case about.Version != k.about.Version:
		return nil, fmt.Sprintf("%s is version %s of %s, built in is %s: rebuild it", other.program, about.Version, k.Name, k.about.Version)
	}
	form := other.form()
	return &form, ""
}

// onVeth gives the subject a testbed of containers, which comes up with its
// first run; close takes it away.
func (f *testFlags) onVeth(s *acceptance.Subject, k *contender, stderr io.Writer) (close func() error, err error) {
	r := bedRequest{scenario: "acceptance", bring: &f.bring, logs: f.plugins.logs, stderr: stderr, quiet: true}
	if k.program != "" {
		r.plugins = map[string]string{k.about.Name: k.program}
	}
	b, err := openBed(r)
	if err != nil {
		if wrong := (usageError{}); f.on == "veth" || errors.As(err, &wrong) {
			return nil, err
		}
		s.NoVeth = err.Error()
		return func() error { return nil }, nil
	}
	s.Veth = func(ctx context.Context, p *plan.Plan) (*result.Outcome, error) {
		return b.run(ctx, p, bedRun{standstill: defaultStandstill})
	}
	return b.close, nil
}

// meter returns what tells of each spec, nil for nothing, and what clears its
// line at the end.
func (f *testFlags) meter(stderr io.Writer) (done func(int, int, acceptance.Spec), ended func(), err error) {
	ended = func() {}
	switch {
	case f.progress == "none", f.progress == "auto" && !isTerminal(stderr):
	case f.progress == "plain":
		done = func(n, total int, s acceptance.Spec) {
			fmt.Fprintf(stderr, "%d of %d: %s: %s\n", n, total, s.Outcome, s.Text)
		}
	case f.progress == "auto":
		done = func(n, total int, s acceptance.Spec) {
			fmt.Fprintf(stderr, "\r\x1b[K%d of %d: %s: %s", n, total, s.Outcome, s.Text)
		}
		ended = func() { fmt.Fprint(stderr, "\r\x1b[K") }
	default:
		err = fmt.Errorf("--progress %q: allowed are auto, plain, none", f.progress)
	}
	return done, ended, err
}
