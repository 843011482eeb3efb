//go:build !mem

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/judge"
)

// judgeFlags are the flags of algorithm check and test.
type judgeFlags struct {
	// usual is the label of the checks that neither --check nor --label chose.
	usual string
	// quick chooses the cheap checks, with one seed.
	quick        bool
	sets, checks []string
	label        string
	seeds        seedFlags
	plugins      pluginFlags
	on           string
	format       page.Format
	junit, json  string
	list         bool
	bring        testbedFlags
	progress     string
}

func (f *judgeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&f.sets, "set", nil, "give the algorithm a parameter: name=value (repeatable)")
	flags.StringArrayVar(&f.checks, "check", nil, "carry out only this check (repeatable)")
	flags.StringVar(&f.label, "label", "", "carry out only the checks with these labels: labels joined by ||, && "+
		"and !")
	f.seeds.add(c, "3", "run the scenarios of reaction, recovery, fairness and latecomers with these seeds; the "+
		"worst one counts")
	flags.StringVar(&f.on, "on", "mem",
		"where the behaviour is tested: mem (this process), veth (containers joined by veth pairs; needs root)")
	flags.StringVar(&f.junit, "junit", "", "write a JUnit report to this file")
	flags.StringVar(&f.json, "json", "", "write the report as JSON to this file")
	flags.BoolVar(&f.list, "list", false, "list the checks without carrying them out")
	f.plugins.add(c)
	flags.StringVar(&f.progress, "progress", "auto",
		"on stderr: auto or plain (a line for each check as it ends, with its seconds), none")
	formatFlag(c, &f.format)
	f.bring.add(c)
}

// run judges an algorithm and returns the exit code.
func (f *judgeFlags) run(c *cobra.Command, which string) (code int, err error) {
	ctx, stdout, stderr := c.Context(), c.OutOrStdout(), c.ErrOrStderr()
	defer func() { err = errors.Join(err, f.plugins.close()) }()
	var config judge.Config
	if config.Checks, err = f.chosen(); err != nil {
		return 0, usage(err)
	}
	if f.list {
		return 0, printChecks(stdout, config.Checks, f.format)
	}
	if config.Seeds, err = f.seeds.list(c.Flags().Changed); err != nil {
		return 0, usage(err)
	}
	if f.quick && !c.Flags().Changed("seed") && !c.Flags().Changed("seeds") {
		config.Seeds = []uint64{1}
	}
	done, err := f.meter(stderr)
	if err != nil {
		return 0, usage(err)
	}
	stop := func() {}
	if f.progress == "auto" && isTerminal(stderr) {
		stop = sayWaiting(stderr, patience, f.plugins.start, which)
	}
	defer stop()
	config.Done = func(number, total int, row judge.Row, took time.Duration) {
		if stop(); done != nil {
			done(number, total, row, took)
		}
	}
	if config.Subject, err = f.subject(ctx, which); err != nil {
		return 0, err
	}
	r, err := f.plugins.registry()
	if err != nil {
		return 0, usage(err)
	}
	config.Companions, config.StartLimit = r.Find, f.plugins.start
	config.Beside = func() (list []result.Algorithm, err error) {
		for _, name := range []string{"fixed", "dcqcn"} {
			one, err := campaign.AlgorithmOf(&plan.Algorithm{Name: name}, r)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		return list, nil
	}
	for _, path := range []string{f.junit, f.json} {
		if err := writable(path); err != nil {
			return 0, host(err)
		}
	}
	close, err := f.onVeth(&config, stderr)
	if err != nil {
		return 0, err
	}
	config.Unfinished = campaign.OpenUnfinished(campaign.UnfinishedName)
	report, err := judge.Run(ctx, config)
	stop()
	endUnfinished(config.Unfinished, !errors.Is(err, judge.ErrInterrupted), err, "check", stderr)
	if errors.Is(err, judge.ErrInterrupted) {
		err = errInterrupted
	}
	if closed := close(); closed != nil && err == nil {
		err = host(closed)
	}
	if report == nil {
		return 0, host(err)
	}
	for _, write := range []func() error{
		func() error { return f.write(report) },
		func() error {
			return printAs(stdout, f.format, report, reportDocument(report))
		},
	} {
		if failed := write(); failed != nil && err == nil {
			err = host(failed)
		}
	}
	switch {
	case err != nil:
		return 0, err
	case report.Verdict == judge.Failed:
		return exit.CodeFailed, nil
	case report.Verdict == judge.Skipped && report.Checks[0].Remark == config.NoVeth:
		return 0, host(errors.New(config.NoVeth))
	}
	return exit.CodePass, nil
}

// patience is the time for which a terminal shows nothing before a message explains the wait.
const patience = 1500 * time.Millisecond

// sayWaiting prints on a terminal after a while that a program has not introduced itself yet; stop, which may be called
// often, ends that.
func sayWaiting(to io.Writer, after, limit time.Duration, program string) (stop func()) {
	var lock sync.Mutex
	said, over := false, false
	time.AfterFunc(after, func() {
		lock.Lock()
		defer lock.Unlock()
		if !over {
			said = true
			fmt.Fprintf(to, "\r\x1b[Kwaiting for the handshake of %s, at most %v", terminal.Line(program), limit)
		}
	})
	return func() {
		lock.Lock()
		defer lock.Unlock()
		if said && !over {
			fmt.Fprint(to, "\r\x1b[K")
		}
		over = true
	}
}

// chosen are the checks that the flags choose.
func (f *judgeFlags) chosen() ([]judge.Check, error) {
	if f.quick {
		if f.label != "" || len(f.checks) > 0 {
			return nil, errors.New("--quick chooses the checks: leave out --check and --label")
		}
		return judge.Checks(judge.Cheap(), "")
	}
	label := f.label
	if label == "" && len(f.checks) == 0 {
		label = f.usual
	}
	list, err := judge.Checks(f.checks, label)
	if err != nil {
		err = fmt.Errorf("--check, --label: %w", err)
	}
	return list, err
}

// subject finds what to judge in all its forms.
func (f *judgeFlags) subject(ctx context.Context, which string) (subject judge.Subject, err error) {
	if f.on != "mem" && f.on != "veth" {
		return subject, usage(fmt.Errorf("--on %q: allowed are mem, veth", f.on))
	}
	entry, err := oneEntry(which)
	if err != nil {
		return subject, usage(err)
	}
	subject.Title = strings.Join(append([]string{entry.Text}, f.sets...), " ")
	subject.OnVeth, subject.Logs = f.on == "veth", f.plugins.logs
	if subject.Given, err = params(f.sets); err != nil {
		return subject, usage(err)
	}
	if err := addParams(subject.Given, entry); err != nil {
		return subject, usage(err)
	}
	algorithms, err := f.plugins.registry()
	if err != nil {
		return subject, usage(err)
	}
	here, err := os.Getwd()
	if err != nil {
		return subject, host(err)
	}
	if entry.IsPath {
		if _, err := os.Stat(entry.Name); err != nil {
			return subject, usage(err)
		}
		if subject.Program.Path, err = filepath.Abs(entry.Name); err != nil {
			return subject, host(err)
		}
	} else {
		if subject.Program, err = algorithms.Program(entry.Name); err != nil {
			return subject, usage(entry.HintPath(err))
		}
		subject.AsProgram = subject.Program.Path != ""
		subject.Builtin, subject.Shipped = shipped.Find(entry.Name)
	}
	if subject.Shipped {
		if !subject.AsProgram {
			programs := registry.New(registry.Config{
				Builtin: shipped.All(),
				Mode:    registry.Process,
				Folders: registry.Folders(f.plugins.folders),
				Process: process.Options{StartLimit: f.plugins.start, Limits: f.plugins.limits},
			})
			if subject.Program, err = programs.Program(entry.Name); err != nil {
				subject.NoProgram = err.Error()
			}
		}
		subject.Source, err = judge.SourceOfShipped(ctx, entry.Name, here)
	} else {
		subject.Source, err = judge.SourceOfProgram(ctx, subject.Program.Path, here)
	}
	if err != nil {
		subject.NoSource = err.Error()
	}
	if subject.Program.Path != "" {
		subject.Options = f.plugins.starting.as(f.plugins.options())
		subject.Starting = f.plugins.starting.warn
	}
	return subject, f.checkParams(subject)
}

// checkParams refuses parameters that the algorithm does not have or refuses. A program that is not a plugin fails the
// handshake.
func (f *judgeFlags) checkParams(subject judge.Subject) error {
	if len(subject.Given) == 0 {
		return nil
	}
	algorithm := subject.Builtin
	if algorithm == nil || subject.AsProgram {
		program, err := process.Start(subject.Program, subject.Options)
		if err != nil {
			return nil
		}
		defer program.Close()
		algorithm = program.Algorithm()
	}
	p, err := hosting.Parse(algorithm.Describe(), subject.Given)
	if err == nil {
		_, err = algorithm.New(p)
	}
	if err != nil {
		return usage(fmt.Errorf("--set: algorithm %s: %w", algorithm.Describe().Name, err))
	}
	return nil
}

// onVeth gives the subject a testbed of containers if a check needs one. It comes up with its first run; close destroys
// it.
func (f *judgeFlags) onVeth(config *judge.Config, stderr io.Writer) (close func() error, err error) {
	none := func() error { return nil }
	if f.on != "veth" && !slices.ContainsFunc(config.Checks, func(c judge.Check) bool { return c.Name == "veth" }) {
		return none, nil
	}
	request := testbedRequest{
		scenario: "judge",
		bring:    &f.bring,
		plugins:  map[string]string{},
		printed:  &f.plugins,
		stderr:   stderr,
		quiet:    true,
	}
	runner, err := openTestbed(request)
	if err != nil {
		if f.on == "veth" || exit.Is(err, exit.CodeUsage) {
			return nil, err
		}
		config.NoVeth = err.Error()
		return none, nil
	}
	program := config.Program.Path
	if config.Builtin != nil && !config.AsProgram {
		program = ""
	}
	config.Veth = func(ctx context.Context, name string, plan *plan.Plan) (*result.Outcome, error) {
		if program != "" {
			request.plugins[name] = program
		}
		return runner.run(ctx, plan, testbedRun{standstill: defaultStandstill})
	}
	return runner.close, nil
}

// meter returns what prints a line for each check, nil for nothing. The lines stay on a terminal, too: the
// first ones come long before the table.
func (f *judgeFlags) meter(stderr io.Writer) (done func(int, int, judge.Row, time.Duration), err error) {
	m, err := meterFor(f.progress, stderr)
	if err != nil || m == nil && f.progress != "auto" {
		return nil, err
	}
	return func(n, total int, row judge.Row, took time.Duration) {
		fmt.Fprintf(stderr, "%2d of %d  %-8s %5.1f s  %s\n", n, total, row.Result, took.Seconds(), row.Check)
	}, nil
}

// write writes the files that were asked for.
func (f *judgeFlags) write(report *judge.Report) error {
	var junit error
	if f.junit != "" {
		junit = report.WriteJUnit(f.junit)
	}
	if f.json == "" {
		return junit
	}
	to, err := os.Create(f.json)
	if err != nil {
		return errors.Join(junit, err)
	}
	return errors.Join(junit, writeJSON(to, report), to.Close())
}
