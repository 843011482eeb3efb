package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/live/pace"
)

// runFlags are the flags of run.
type runFlags struct {
	scenario        scenarioFlags
	out             string
	seeds           string
	variants        []string
	workers         int
	standstill      time.Duration
	codec, noFolder bool
	noReport        bool
	captures        []string
	eventLog        []string
	events          *eventLogs // nil for none
	format          page.Format
	progress        string
	rows            rowFlags
	on, testbed     string
	dilation        int64
	realtime        bool
	edges           string
	journal         unit.Bytes
	bring           testbedFlags
	keep            keepFlags
	many            manyFlags
}

func runCommand(code *int) *cobra.Command {
	options := &runFlags{dilation: 1, journal: defaultJournal}
	c := &cobra.Command{
		Use:   "run SCENARIO",
		Short: "Run a scenario and judge it",
		Long: `Run a scenario: each variant with each seed, one after the other. The verdicts
come first, then the variants side by side, then the findings, then the run
folder with all counters, flows and series (columns.md in it explains them).
Tables are as wide as the terminal or $COLUMNS, and 120 columns if the output is
not a terminal; rows without information are left out, unless --wide or --metrics
asks for them.

It runs in this process, or with --on veth on a testbed: a container for each
switch and server, joined by veth pairs that carry the frames. The testbed is
created for the run and removed after it, unless --testbed names a testbed that
was deployed. That needs root; rocelab doctor lists the other requirements. --on live is
the same in real time: nothing happens before its time on the wall clock, which is its
model time, multiplied by K, after the start of the run. On a machine that is too slow
model time lags behind, and the result reports by how much.

` + manyHelp + `

The same scenario and seed give the same files, byte for byte, on every runner,
with algorithms built in or as processes, and with any number of workers or daemons.
Only host.json differs and the files that it lists: plugins/, with the output of
programs of algorithms, and captures, which on veth lack the frames that were dropped
from a queue, and the comments about drops. Ctrl-C ends the run, keeps the
results so far, marked interrupted, and names the runs that were not made; a second
Ctrl-C kills it, and rocelab destroy then removes the remains of a testbed.`,
		Example: `  rocelab run incast.yaml
  rocelab run incast.yaml --algorithm pc4,dcqcn:set=paper --seeds 5
  rocelab run incast.yaml --set switch.buffer=16MB --set traffic.size=25MB
  rocelab run incast.yaml --variant dcqcn --record-interval 20us --out incast-dcqcn
  rocelab run incast.yaml --capture s0:16 --variant pc4
  rocelab run incast.yaml --event-log incast/h0-h16 --variant dcqcn
  sudo rocelab run incast.yaml --on veth
  sudo rocelab run incast.yaml --on live --dilate 1000
  rocelab run incast.yaml --algorithm ./build/cc-mine,dcqcn
  rocelab run incast.yaml --baseline good --tolerance queue_max_bytes=5%
  rocelab run incast.yaml --run-as process --plugin-dir build
  rocelab run incast.yaml --format json --no-folder | jq '.runs[].metrics.fct_p99_us'`,
		Args: oneScenario,
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, options.scenario.plugins.close()) }()
			if err := options.checkPlace(c.Flags().Changed); err != nil {
				return usage(err)
			}
			*code, err = options.run(c.Context(), args[0], c.OutOrStdout(), c.ErrOrStderr())
			return err
		},
	}
	options.scenario.add(c)
	flags := c.Flags()
	flags.StringVar(&options.testbed, "testbed", "", "deployed testbed to run on (with --on veth or live)")
	options.bring.add(c)
	flags.StringVar(&options.on, "on", "mem",
		"where to run: mem (this process), veth (containers joined by veth pairs, real packets; needs root), live "+
			"(veth in real time)")
	_ = c.RegisterFlagCompletionFunc("on", words("mem", "veth", "live"))
	flags.Var(&dilationValue{&options.dilation}, "dilate",
		"wall time per model time, a whole number (with --on live)")
	flags.BoolVar(&options.realtime, "realtime", false, realtimeHelp+" (with --on live)")
	flags.StringVar(&options.edges, "edges", "",
		"run folder of a live run: replay in memory the frames that came in at its edges")
	flags.Var(&journalValue{&options.journal}, "journal",
		"largest size of the recording of frames that come in at an edge, for a replay, in edges/ of the run's "+
			"folder (with --on live)")
	flags.DurationVar(&options.standstill, "standstill", defaultStandstill,
		"give up if nothing moves for this wall time, six times as long before the first window (with --on veth "+
			"or live; waiting for the clock does not count); time that plugins may take is added")
	flags.StringVar(&options.out, "out", "",
		"run folder; must not exist (default rocelab-runs/<scenario>-<n>, the next free n)")
	flags.BoolVar(&options.noFolder, "no-folder", false, "write no run folder")
	flags.BoolVar(&options.noReport, "no-report", false, "write no page, report.html, into the run folder")
	flags.StringVar(&options.seeds, "seeds", "", "seeds to run every variant with"+seedsHelp)
	flags.StringArrayVar(&options.variants, "variant", nil, "run only this variant (repeatable)")
	flags.IntVar(&options.workers, "workers", 0, "goroutines that share the nodes; 0 chooses automatically")
	flags.BoolVar(&options.codec, "codec", false, "encode and decode every frame at every hop")
	flags.StringArrayVar(&options.captures, "capture", nil, "capture a port, node:port, into capture.pcapng (repeatable)")
	flags.StringSliceVar(&options.eventLog, "event-log", nil,
		"record the events that the algorithms of these flows, by name or number, or of all get, and their "+
			"answers, in the run's folder, events/FLOW.sender.jsonl and .receiver.jsonl (--on mem only)")
	flags.StringVar(&options.progress, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line every 2 s), none")
	options.keep.add(c)
	options.many.add(c)
	options.rows.add(c, "rows with information")
	formatFlag(c, &options.format)
	return c
}

// run carries the command out and returns its exit code.
func (f *runFlags) run(ctx context.Context, path string, stdout, stderr io.Writer) (int, error) {
	rows, err := experiment.Metrics(f.rows.metrics)
	if err != nil {
		return 0, usage(fmt.Errorf("--metrics: %w", err))
	}
	meter, err := meterFor(f.progress, stderr)
	if err != nil {
		return 0, usage(err)
	}
	if f.workers < 0 {
		return 0, usage(fmt.Errorf("--workers %d: allowed are 0 and above", f.workers))
	}
	if f.standstill <= 0 {
		return 0, usage(fmt.Errorf("--standstill %v: allowed is above 0", f.standstill))
	}
	if f.noFolder && f.out != "" {
		return 0, usage(errors.New("--no-folder and --out exclude each other"))
	}
	if len(f.eventLog) > 0 {
		if f.noFolder {
			return 0, usage(errors.New("--event-log and --no-folder exclude each other: logs go into the run folder"))
		}
		f.events = &eventLogs{wanted: f.eventLog, names: map[string]bool{}}
	}
	if f.on == "mem" && f.scenario.usesPrograms() {
		defer process.TakeTurns(0)()
	}
	f.scenario.plugins.starting.inContainers = f.onTestbed()
	planned, err := f.experiment(path)
	if err != nil {
		return 0, usage(err)
	}
	if err := f.keep.check(planned); err != nil {
		return 0, err
	}
	if !f.noFolder {
		planned.Folder = func() (*result.Folder, error) { return f.folder(planned.Name, stderr) }
		if !f.noReport {
			planned.Page = pageOfRun(stderr)
		}
		planned.Runner = f.on
		planned.Live = func(err error) { fmt.Fprintf(stderr, "rocelab: %s\n", terminal.Line(err.Error())) }
	}
	planned.Meter = meter
	close, err := f.chooseRunner(planned, stderr)
	if err != nil {
		return 0, err
	}
	if err := f.announce(ctx, planned); err != nil {
		return 0, errors.Join(err, host(close()))
	}
	planned.Printed = f.scenario.plugins.printed
	planned.Algorithms = f.whatRan
	f.keepUnfinished(planned)
	report, err := planned.Do(ctx)
	endUnfinished(planned.Unfinished, err == nil && !report.Interrupted(), err, "run", stderr)
	err = f.withPlace(err, report)
	if closed := close(); closed != nil && err == nil {
		err = host(closed)
	}
	if report == nil || len(report.Runs) == 0 {
		return 0, err
	}
	report.Metrics, report.Wide = rows, f.rows.wide
	f.keep.judge(report)
	if written := f.keep.write(report); written != nil && err == nil {
		err = host(written)
	}
	if printed := report.Print(stdout, f.format, pageOf(stdout)); printed != nil && err == nil {
		err = host(printed)
	}
	return report.ExitCode(), err
}

// keepUnfinished keeps runs in memory until all are done. Files that others write into a folder are not kept.
func (f *runFlags) keepUnfinished(planned *experiment.Experiment) {
	if f.on != "mem" || f.edges != "" || len(f.captures) > 0 || f.events != nil {
		return
	}
	planned.Unfinished = campaign.OpenUnfinished(campaign.UnfinishedName)
	planned.ID = func(p *plan.Plan) (campaign.ID, error) {
		algorithms, err := f.whatRan(p)
		if err != nil {
			return "", err
		}
		return campaign.IDOf("run", p, algorithms, planned.Overrides, f.noFolder, f.codec)
	}
}

// whatRan returns the algorithms of the flows of a plan.
func (f *runFlags) whatRan(p *plan.Plan) ([]result.Algorithm, error) {
	algorithms, err := f.scenario.plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	return campaign.Algorithms(p, algorithms)
}

// withPlace adds to the error of an algorithm that failed where to look.
func (f *runFlags) withPlace(err error, report *experiment.Report) error {
	var fault *model.AlgorithmError
	if !errors.As(err, &fault) {
		return err
	}
	if report.Folder == "" {
		return f.scenario.plugins.withLogs(err)
	}
	if n := len(report.Printed); n > 0 {
		place := filepath.Join(report.Folder, report.Printed[0])
		if n > 1 {
			place = filepath.Dir(place)
		}
		err = fmt.Errorf("%w; its output, including the stack, is in %s", err, place)
	}
	if f.events != nil {
		err = fmt.Errorf("%w; the event logs are in %s", err, report.Folder)
	}
	return err
}

// dilationValue is a flag's dilation of time.
type dilationValue struct{ to *int64 }

func (v *dilationValue) String() string {
	if v.to == nil {
		return ""
	}
	return strconv.FormatInt(*v.to, 10)
}

func (v *dilationValue) Type() string { return "K" }

func (v *dilationValue) Set(text string) error {
	k, err := strconv.ParseInt(text, 10, 64)
	if err != nil || k < 1 || k > pace.MaxDilation {
		return fmt.Errorf("allowed are whole numbers from 1 to %d", pace.MaxDilation)
	}
	*v.to = k
	return nil
}
