package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	asked    sweepAsked
	out      string
	shard    string
	jobs     int
	memory   string
	report   bool
	verify   int
	seed     uint64
	progress string
	verbose  bool
	many     manyFlags
}

func sweepCommand(code *int) *cobra.Command {
	f := &sweepFlags{}
	c := &cobra.Command{
		Use:   "sweep SCENARIO|FOLDER",
		Short: "Run a scenario with many values of its keys",
		Long: `Run a scenario with many values of its keys: the values of --grid in every
combination, those of --list, which change together, and those of --draw, which are
random; each of them with every variant and every seed. The scenario's own section
sweep has the same settings, and flags add to it.

A run is named by its content: a digest of everything that decides its result. It is
written beside the others and renamed once it is complete. So a sweep that was
interrupted can be resumed: give the same command, or its folder. Values and seeds may
be added; runs that are complete are not made again. Any number of processes, on this
machine and on others that share the folder, may work on one sweep, with or without
--shard: if two of them make the same run, the results are identical.

` + manyHelp + `

A run's folder has everything that rocelab run writes, except the page and the time
series, which --report and --record add. rocelab sweep table shows all runs side
by side, rocelab sweep report draws them.

The exit code is that of the worst run: 5 if an algorithm failed, 2 if values were
wrong, 3, 1, 0 as of rocelab run. If the host lacks something the sweep ends with 4,
after an interruption with 130; finished runs stay, and no run is left half done.`,
		Example: `  rocelab sweep incast.yaml --grid switch.ecn.kmin=50KB,100KB,200KB --seeds 5
  rocelab sweep incast.yaml --list switch.ecn.kmin,switch.ecn.kmax=50KB:200KB,100KB:400KB
  rocelab sweep incast.yaml --draw switch.ecn.pmax=0.01..0.5:log --draws 20 --variant dcqcn
  rocelab sweep incast.yaml --algorithm pc4,dcqcn --seeds 10 --out pc4-dcqcn
  rocelab sweep pc4-dcqcn --shard 0/4
  rocelab sweep pc4-dcqcn --verify 5`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.asked.scenario.plugins.close()) }()
			*code, err = f.run(c, args[0])
			return err
		},
	}
	f.asked.add(c)
	flags := c.Flags()
	flags.StringVar(&f.out, "out", "", "the sweep's folder (default rocelab-sweeps/<scenario>)")
	flags.StringVar(&f.shard, "shard", "0/1", "do only this part: i/n, i from 0")
	flags.IntVar(&f.jobs, "jobs", 0, "runs at a time; 0 for one per idle processor")
	flags.StringVar(&f.memory, "memory", "", "memory limit of the process, such as 16GB: a run that would exceed "+
		"it waits until others have ended (default four fifths of the free memory)")
	flags.BoolVar(&f.report, "report", false, "write a page, report.html, into each run folder")
	flags.IntVar(&f.verify, "verify", 0, "number of finished runs to repeat, comparing traces and files: exit "+
		"code 3 if anything differs")
	flags.Uint64Var(&f.seed, "verify-seed", 1, "seed of the choice of runs for --verify")
	flags.StringVar(&f.progress, "progress", "auto",
		"on stderr: auto (a line on a terminal), plain (a line every 2 s), none")
	f.many.add(c)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print the time of each step on stderr")
	c.AddCommand(sweepPlanCommand(), sweepStatusCommand(), sweepTableCommand(), sweepReportCommand(),
		sweepSubmitCommand(code), sweepTaskCommand(code))
	c.ValidArgsFunction = first(yamlFiles)
	return c
}

// run carries the command out and returns its exit code.
func (f *sweepFlags) run(c *cobra.Command, path string) (int, error) {
	stderr := c.ErrOrStderr()
	shard, err := sweep.ParseShard(f.shard)
	if err != nil {
		return 0, usage(fmt.Errorf("--shard: %w", err))
	}
	if f.jobs < 0 || f.verify < 0 {
		return 0, usage(errors.New("--jobs and --verify: allowed are 0 and above"))
	}
	if f.jobs == 0 {
		f.jobs = idleProcessors()
	}
	room, err := f.room()
	if err != nil {
		return 0, usage(err)
	}
	meter, err := meterFor(f.progress, stderr)
	if err != nil {
		return 0, usage(err)
	}
	if meter != nil {
		meter.Together = true
	}
	begun := time.Now()
	folder, maker, err := f.folder(c, path)
	if err != nil {
		return 0, err
	}
	runs := shard.Runs(folder.Plan)
	if f.verbose {
		fmt.Fprintf(stderr, "planned %s in %v\n", unit.Count(len(folder.Plan.Runs), "run"),
			time.Since(begun).Round(time.Millisecond))
	}
	r := &sweep.Runner{
		Folder:   folder,
		Maker:    maker,
		Jobs:     f.jobs,
		Room:     room,
		Bench:    f.asked.bench(f.jobs, folder.About.Report, stderr),
		ExitCode: exit.Of,
		Series:   f.asked.series,
		Meter:    meter,
		Say:      func(text string) { fmt.Fprintln(stderr, "rocelab: "+terminal.Text(text)) },
	}
	if f.verify > 0 {
		return f.verifies(c.Context(), r, runs, c.OutOrStdout())
	}
	if shard.Of > 1 && len(runs) == 0 {
		r.Say(fmt.Sprintf("shard %v has no run: the plan has %d", shard, len(folder.Plan.Runs)))
	}
	if err := f.announce(c, r, runs); err != nil {
		return 0, err
	}
	err = r.Do(c.Context(), runs)
	rows, listed := f.rows(folder, runs)
	if f.verbose {
		fmt.Fprintf(stderr, "%s in %v\n", unit.Count(len(runs), "run"), time.Since(begun).Round(time.Millisecond))
	}
	if err = errors.Join(err, listed); err != nil {
		return 0, err
	}
	if err := printSweep(c.OutOrStdout(), folder, len(runs), rows); err != nil {
		return 0, host(err)
	}
	code := campaign.ExitCode(rows)
	if c.Context().Err() != nil && slices.Contains(rows, nil) {
		code = exit.Gravest(code, exit.CodeInterrupted)
	}
	return code, nil
}

// announce prints how many runs are left, and how long they take.
func (f *sweepFlags) announce(c *cobra.Command, r *sweep.Runner, runs []*sweep.Run) error {
	done, err := r.Folder.Done()
	if err != nil {
		return host(err)
	}
	left := slices.DeleteFunc(slices.Clone(runs), func(run *sweep.Run) bool { return done[run.ID] })
	return f.many.announce(c, begun{
		runs:  len(left),
		jobs:  f.jobs,
		seeds: f.asked.seeds,
		sample: func() (*campaign.Estimate, error) {
			e, err := r.Sample(c.Context(), left)
			if c.Context().Err() != nil {
				return nil, errInterrupted
			}
			return e, err
		},
	})
}

// room is the bound of --memory.
func (f *sweepFlags) room() (*campaign.Room, error) {
	if f.memory == "" {
		return &campaign.Room{Bound: campaign.Available() / 5 * 4}, nil
	}
	bound, err := unit.ParseBytes(f.memory)
	if err != nil || bound <= 0 {
		return nil, fmt.Errorf("--memory %q: allowed is a size above 0, such as 16GB", f.memory)
	}
	debug.SetMemoryLimit(int64(bound)) // so that garbage does not take what a run could
	return &campaign.Room{Bound: uint64(bound)}, nil
}

// folder opens the sweep's folder: one that was begun, or that of a scenario, which it begins.
func (f *sweepFlags) folder(c *cobra.Command, path string) (*sweep.Folder, *sweep.Maker, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return f.goOn(c, path)
	}
	p, err := f.asked.plan(path)
	if err != nil {
		return nil, nil, err
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("rocelab-sweeps", p.name)
	}
	if f.verify > 0 {
		if _, err := sweep.Open(dir); err != nil {
			return nil, nil, usage(err)
		}
	}
	about := f.asked.about(p)
	about.Report = f.report
	folder, err := sweep.Begin(dir, p.source, p.plan, about)
	var refused *sweep.FolderError
	if errors.As(err, &refused) {
		return nil, nil, usage(err)
	}
	return folder, p.maker, host(err)
}

// plansAnew are flags that say which runs there are, which a folder knows.
var plansAnew = []string{"grid", "list", "draw", "draws", "draw-seed", "variant", "seeds", "set", "algorithm", "out",
	"record", "report", "run-as", "plugin-dir"}

// goOn opens a folder that was begun.
func (f *sweepFlags) goOn(c *cobra.Command, path string) (*sweep.Folder, *sweep.Maker, error) {
	folder, err := sweep.Open(path)
	if errors.Is(err, sweep.ErrNoSweep) && scenarioFiles(path) != nil {
		return nil, nil, usage(inFolder(path))
	}
	if err != nil {
		return nil, nil, usage(err)
	}
	for _, name := range plansAnew {
		if c.Flags().Changed(name) {
			return nil, nil, usage(fmt.Errorf("--%s: %s has its plan already; to add to it, give the scenario "+
				"with all flags, and --out %s", name, path, path))
		}
	}
	maker, err := f.asked.reopen(folder)
	return folder, maker, err
}

// rows are those of completed runs, nil for others.
func (f *sweepFlags) rows(folder *sweep.Folder, runs []*sweep.Run) ([]*campaign.Row, error) {
	rows := make([]*campaign.Row, len(runs))
	for i, run := range runs {
		row, err := folder.Row(run.ID)
		if err != nil {
			return nil, host(err)
		}
		rows[i] = row
	}
	return rows, nil
}

// printSweep prints the progress of the runs of a shard.
func printSweep(to io.Writer, folder *sweep.Folder, asked int, rows []*campaign.Row) error {
	done, verdicts, failed := 0, map[string]int{}, 0
	for _, row := range rows {
		switch {
		case row == nil:
			continue
		case campaign.HasResult(row.Exit):
			verdicts[row.Verdict]++
		default:
			failed++
		}
		done++
	}
	line := fmt.Sprintf("%s: %d of %d runs done", folder.About.Scenario, done, asked)
	if words := verdictWords(verdicts, failed); words != "" {
		line += ": " + words
	}
	_, err := fmt.Fprintln(to, terminal.Line(line))
	if err != nil {
		return err
	}
	if done < asked {
		_, err = fmt.Fprintf(to, "resume: rocelab sweep %s\n", folder.Dir())
	} else {
		_, err = fmt.Fprintf(to, "table: rocelab sweep table %s\n", folder.Dir())
	}
	return err
}

// verdictWords counts verdicts: "8 pass, 2 fail, 1 without a result".
func verdictWords(verdicts map[string]int, failed int) string {
	var parts []string
	for status := result.Pass; status <= result.Red; status++ {
		if n := verdicts[status.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	if failed > 0 {
		parts = append(parts, fmt.Sprintf("%d without a result", failed))
	}
	return strings.Join(parts, ", ")
}

// verifies makes runs again and reports how they differ.
func (f *sweepFlags) verifies(ctx context.Context, r *sweep.Runner, runs []*sweep.Run, stdout io.Writer) (int, error) {
	chosen, err := r.Choose(runs, f.verify, f.seed)
	if err != nil {
		return 0, host(err)
	}
	if len(chosen) == 0 {
		return 0, usage(errors.New("--verify: no run has a result yet"))
	}
	differ, done := 0, 0
	var printed error
	err = r.Verify(ctx, chosen, func(v sweep.Verified) {
		done++
		if len(v.Differences) == 0 {
			return
		}
		differ++
		_, printed = fmt.Fprintf(stdout, "run %d (%s) differs: %s\n", v.Run.Index, terminal.Line(v.Run.Name()),
			terminal.Line(strings.Join(v.Differences, "; ")))
	})
	if err = errors.Join(err, host(printed)); err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(stdout, "%s made again: %d the same, %d differ\n", unit.Count(done, "run"), done-differ, differ)
	if err != nil {
		return 0, host(err)
	}
	code := exit.CodePass
	if differ > 0 {
		code = exit.CodeVerdict
	}
	if ctx.Err() != nil && done < len(chosen) {
		code = exit.Gravest(code, exit.CodeInterrupted)
	}
	return code, nil
}
