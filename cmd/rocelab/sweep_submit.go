package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/many/sweep/cluster"
)

// submitFlags are the flags of sweep submit beside those of any sweep.
type submitFlags struct {
	to      string
	print   bool
	perTask int
	atOnce  int
	image   string
	volume  string
	program string
}

func (f *submitFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.to, "to", "", "engine: "+strings.Join(cluster.Engines, ", "))
	flags.BoolVar(&f.print, "print", false, "print what would be submitted, without submitting it")
	flags.IntVar(&f.perTask, "per-task", 0, "runs per task; 0 for about five minutes' worth")
	flags.IntVar(&f.atOnce, "at-once", 0, "tasks at a time; 0 for no limit")
	flags.StringVar(&f.image, "image", "", "kubernetes: the image with rocelab in it")
	flags.StringVar(&f.volume, "volume", "", "kubernetes: volume of the output folder in pods: pvc:NAME, "+
		"pvc:NAME/FOLDER, or hostpath:/FOLDER")
	flags.StringVar(&f.program, "program", "", "path of rocelab on the nodes (default: this one's; in an image "+
		cluster.ImageProgram+")")
	c.RegisterFlagCompletionFunc("to", words(cluster.Engines...))
}

func sweepSubmitCommand(code *int) *cobra.Command {
	f, s := &sweepFlags{}, &submitFlags{}
	c := &cobra.Command{
		Use:   "submit SCENARIO|FOLDER --to local|slurm|kubernetes [-- FLAG...]",
		Short: "Submit a sweep to a cluster, as tasks that may be lost and repeated",
		Long: `Hand a sweep to an engine that schedules work. The runs are those of rocelab sweep with
the same flags; finished runs are left out. A task is a shard: as many runs as take
about five minutes, or --per-task. Nothing is submitted if values are invalid.

slurm writes an array script and hands it to sbatch; kubernetes writes an Indexed Job
for kubectl. Both are in OUT/submit/001 and so on, together with logs and attempts. The
script may be edited and submitted again. Arguments after -- are flags of sbatch, which
become lines of the script, or of kubectl. local runs the tasks as processes here.

All machines must share the output folder. A task looks for a file that was written at
submission, and ends with 4 and a message about it if it does not find it. Exit codes 0,
1 and 3 of runs are results, 2 and 5 are final; with 4 a task goes to another host; a
run that was killed is restarted automatically. Nothing is tried more than three times.`,
		Example: `  rocelab sweep submit incast.yaml --seeds 200 --to slurm --out /shared/incast -- --account=hpc
  rocelab sweep submit /shared/incast --to slurm --per-task 10 --print
  rocelab sweep submit incast.yaml --seeds 200 --to kubernetes --out /shared/incast --image reg/rocelab:1 \
    --volume pvc:shared/incast -- --namespace lab
  rocelab sweep submit incast.yaml --seeds 200 --to local`,
		Args: func(c *cobra.Command, args []string) error {
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				args = args[:dash]
			}
			return usageArgs(cobra.ExactArgs(1))(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, f.asked.scenario.plugins.close()) }()
			*code, err = s.run(c, f, args[0], args[1:])
			return err
		},
	}
	f.asked.add(c)
	flags := c.Flags()
	flags.StringVar(&f.out, "out", "", "the sweep's folder, which all nodes share (default rocelab-sweeps/<scenario>)")
	flags.IntVar(&f.jobs, "jobs", 0, "runs at a time, and processors, of a task (default 1); to local: of all "+
		"tasks, 0 for one per idle processor")
	flags.StringVar(&f.memory, "memory", "", "memory of a task, such as 4GB (default twice the memory of sample "+
		"runs)")
	flags.BoolVar(&f.report, "report", false, "write a page, report.html, into each run folder")
	s.add(c)
	return c
}

// run carries the command out and returns its exit code.
func (f *submitFlags) run(c *cobra.Command, asked *sweepFlags, path string, flags []string) (int, error) {
	if err := f.check(); err != nil {
		return 0, usage(err)
	}
	if len(flags) > 0 && f.to == "local" {
		return 0, usage(fmt.Errorf("%q: --to local has no engine to pass flags to", flags))
	}
	if asked.jobs < 0 {
		return 0, usage(fmt.Errorf("--jobs %d: allowed are 0 and above", asked.jobs))
	}
	memory := unit.Bytes(0)
	if asked.memory != "" {
		var err error
		if memory, err = unit.ParseBytes(asked.memory); err != nil || memory <= 0 {
			return 0, usage(fmt.Errorf("--memory %q: allowed is a size above 0, such as 4GB", asked.memory))
		}
	}
	if !f.print {
		if err := cluster.CheckClient(f.to); err != nil {
			return 0, host(err)
		}
	}
	folder, maker, err := asked.folder(c, path)
	if err != nil {
		return 0, err
	}
	s := &cluster.Handover{
		Folder:  folder,
		Engine:  f.to,
		Print:   f.print,
		PerTask: f.perTask,
		AtOnce:  f.atOnce,
		Image:   f.image,
		Volume:  f.volume,
		Program: f.program,
		Jobs:    asked.jobs,
		Memory:  int64(memory),
		Flags:   flags,
		Stdout:  c.OutOrStdout(),
		Stderr:  c.ErrOrStderr(),
	}
	if f.to == "local" && s.Jobs == 0 {
		s.Jobs = idleProcessors()
	}
	s.Sample = func(ctx context.Context) (*campaign.Estimate, error) {
		r := &sweep.Runner{Folder: folder, Maker: maker, Bench: asked.asked.bench(1, false, s.Stderr)}
		return r.Sample(ctx, sweep.Whole.Runs(folder.Plan))
	}
	return s.Do(c.Context())
}

// check refuses flags that do not work with any engine.
func (f *submitFlags) check() error {
	switch {
	case f.to == "":
		return fmt.Errorf("name the engine: --to %s", strings.Join(cluster.Engines, "|"))
	case !slices.Contains(cluster.Engines, f.to):
		return fmt.Errorf("--to %q: allowed are %s", f.to, strings.Join(cluster.Engines, ", "))
	case f.perTask < 0 || f.atOnce < 0:
		return fmt.Errorf("--per-task %d, --at-once %d: allowed are numbers from 0", f.perTask, f.atOnce)
	case f.to != "kubernetes" && f.image+f.volume != "":
		return fmt.Errorf("--image and --volume are for --to kubernetes")
	case f.to == "local" && f.print:
		return fmt.Errorf("--print: with --to local nothing is submitted; use rocelab sweep FOLDER --shard i/n")
	}
	if f.to == "kubernetes" {
		if f.image == "" {
			return fmt.Errorf("kubernetes needs the image with rocelab in it: --image REGISTRY/NAME:TAG")
		}
		if _, err := cluster.ParseVolume(f.volume); err != nil {
			return err
		}
	}
	return nil
}

// printEngines prints the engines' reports of a sweep's submissions, if they answer.
func printEngines(ctx context.Context, w io.Writer, folder *sweep.Folder) error {
	submissions, err := cluster.Submissions(folder.Dir())
	if err != nil {
		return host(err)
	}
	for _, s := range submissions {
		if s.Job == "" {
			continue
		}
		says, err := s.View(ctx)
		if err != nil {
			says = "no answer: " + err.Error()
		}
		fmt.Fprintf(w, "%s job %s: %s\n", s.Engine, terminal.Line(s.Job), terminal.Line(says))
	}
	return cluster.PrintMissing(w, folder)
}
