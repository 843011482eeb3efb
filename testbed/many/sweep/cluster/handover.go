package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Handover is a sweep on its way to an engine.
type Handover struct {
	Folder *sweep.Folder
	// Engine is one of Engines. Print has what it would be handed printed and not submitted.
	Engine string
	Print  bool
	// PerTask is the number of runs of a task, 0 for about five minutes' worth; AtOnce the number of tasks at a time, 0
	// for no limit.
	PerTask, AtOnce int
	// Image and Volume are those of Kubernetes. Program is the path of rocelab on the nodes, "" for that of this program,
	// or ImageProgram in an image.
	Image, Volume, Program string
	// Sample estimates the cost of a run.
	Sample func(context.Context) (*campaign.Estimate, error)
	// Jobs is the number of runs of a task at a time; Memory bounds a task, in bytes, 0 for what the sample says.
	Jobs   int
	Memory int64
	// Flags are those of rocelab sweep that tasks are given.
	Flags          []string
	Stdout, Stderr io.Writer

	cost *campaign.Estimate
}

// ImageProgram is where the project's own image has rocelab.
const ImageProgram = "/usr/bin/rocelab"

// missing are the runs of the plan that are not done.
func (s *Handover) missing() ([]int, error) { return Missing(s.Folder)(sweep.Whole) }

// Do hands the sweep over. It returns the exit code.
func (s *Handover) Do(ctx context.Context) (int, error) {
	missing, err := s.missing()
	if err != nil {
		return 0, exit.Host(err)
	}
	runs := len(s.Folder.Plan.Runs)
	if len(missing) == 0 {
		fmt.Fprintf(s.Stdout, "all %d runs are done: nothing to submit (rocelab sweep table %s)\n", runs, s.Folder.Dir())
		return 0, nil
	}
	if s.cost = (&campaign.Estimate{}); s.PerTask == 0 || s.Engine != "local" && s.Memory == 0 {
		if s.cost, err = s.Sample(ctx); err != nil {
			return 0, err
		}
	}
	each := s.cost.Wall
	if s.Engine != "local" {
		each /= time.Duration(max(1, s.Jobs))
	}
	size := Size{Runs: runs, PerTask: s.PerTask, OneRun: each}
	if s.Engine == "slurm" {
		size.Most = maxArray(ctx)
	}
	tasks := size.Tasks()
	if wanted := (Size{Runs: runs, PerTask: s.PerTask, OneRun: size.OneRun}).Tasks(); wanted > tasks {
		fmt.Fprintf(s.Stderr, "rocelab: %d tasks in place of %d: this cluster's MaxArraySize is %d\n", tasks, wanted,
			size.Most)
	}
	made, err := NewSubmission(s.Folder.Dir(), s.Engine, tasks, s.Flags)
	if err != nil {
		return 0, exit.Host(err)
	}
	shards := shardsOf(missing, tasks)
	if s.Engine == "local" {
		return s.local(ctx, made, shards)
	}
	name, text, err := s.artefact(made, shards)
	if err != nil {
		return 0, exit.Usage(err)
	}
	if err := made.WriteFile(name, text); err != nil {
		return 0, exit.Host(err)
	}
	path := filepath.Join(made.Folder, name)
	if s.Print {
		_, err := io.WriteString(s.Stdout, text)
		fmt.Fprintf(s.Stderr, "written to %s and not submitted\n", path)
		return 0, exit.Host(err)
	}
	if err := made.HandOver(ctx); err != nil {
		return 0, exit.Host(fmt.Errorf("%w (it was handed %s)", err, path))
	}
	fmt.Fprintf(s.Stdout, "%s job %s: %d of %d runs, in %s; %s\nrocelab sweep status %s\n", s.Engine,
		terminal.Line(made.Job), len(missing), runs, unit.Count(len(shards), "task"), path, s.Folder.Dir())
	return 0, nil
}

// shardsOf are the shards that the runs are in.
func shardsOf(runs []int, of int) (shards []int) {
	for _, r := range runs {
		shards = append(shards, r%of)
	}
	slices.Sort(shards)
	return slices.Compact(shards)
}

// artefact writes what the engine is handed.
func (s *Handover) artefact(made *Submission, shards []int) (name, text string, err error) {
	program := s.Program
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return "", "", err
		}
		if s.Engine == "kubernetes" {
			program = ImageProgram
		}
	}
	job := Job{
		Name:       s.Folder.About.Scenario,
		Program:    program,
		Submission: made.Folder,
		Probe:      made.Probe,
		Runs:       len(s.Folder.Plan.Runs),
		Tasks:      made.Tasks,
		AtOnce:     s.AtOnce,
		Cores:      max(1, s.Jobs),
		Memory:     s.taskMemory(),
		Flags:      s.Flags,
	}
	if s.Engine == "slurm" {
		text, err = Slurm(job, shards)
		return slurmScript, text, err
	}
	volume, err := ParseVolume(s.Volume)
	if err != nil {
		return "", "", err
	}
	text, err = Kubernetes(job, s.Image, volume)
	return kubernetesJob, text, err
}

func (s *Handover) taskMemory() int64 {
	if s.Memory > 0 {
		return s.Memory
	}
	each := int64(min(s.cost.Memory, math.MaxInt64/spareFactor/64))
	return spareFactor*each*int64(max(1, s.Jobs)) + spareBytes
}

// local runs the tasks as processes of this machine.
func (s *Handover) local(ctx context.Context, made *Submission, shards []int) (int, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, exit.Host(err)
	}
	task := func(ctx context.Context, shard int) (int, error) {
		log, err := os.Create(filepath.Join(made.Folder, "logs", fmt.Sprintf("%d.log", shard)))
		if err != nil {
			return 0, err
		}
		defer log.Close()
		t := &Task{
			Submission: made.Folder,
			Probe:      made.Probe,
			Shard:      sweep.Shard{Index: shard, Of: made.Tasks},
			Host:       made.Host,
			Jobs:       1,
			Program:    cmp.Or(s.Program, program),
			Stderr:     log,
			Missing:    Missing(s.Folder),
			Runs:       len(s.Folder.Plan.Runs),
		}
		return t.Run(ctx)
	}
	code, err := Local(ctx, shards, cmp.Or(s.AtOnce, s.Jobs), task)
	if ctx.Err() != nil {
		return 0, exit.Interrupted(errors.New("interrupted"))
	}
	left, wrong := s.missing()
	if err != nil || wrong != nil {
		return 0, exit.Host(cmp.Or(err, wrong))
	}
	fmt.Fprintf(s.Stdout, "%d of %d runs are done, in %s; logs in %s\n", len(s.Folder.Plan.Runs)-len(left),
		len(s.Folder.Plan.Runs), unit.Count(len(shards), "task"), filepath.Join(made.Folder, "logs"))
	return code, PrintMissing(s.Stdout, s.Folder)
}

// What a task is given beyond what its runs took in the sample: the runs that were not
// sampled may take more, and an engine kills what takes too much.
const (
	spareFactor = 2
	spareBytes  = 512 << 20
)

// PrintMissing names the runs that submissions tried and that are not done, and what the
// last of them knows.
func PrintMissing(w io.Writer, folder *sweep.Folder) error {
	submissions, err := Submissions(folder.Dir())
	if err != nil || len(submissions) == 0 {
		return exit.Host(err)
	}
	missing, err := Missing(folder)(sweep.Whole)
	if err != nil {
		return exit.Host(err)
	}
	last := submissions[len(submissions)-1]
	tries, err := ReadTries(last.Folder)
	if err != nil {
		return exit.Host(err)
	}
	begun := 0
	for _, r := range missing {
		if why := last.Why(tries, r, len(folder.Plan.Runs)); why != "" {
			run := folder.Plan.Runs[r]
			fmt.Fprintf(w, "run %d (%s) is missing: %s\n", r, terminal.Line(run.Name()), terminal.Line(why))
			begun++
		}
	}
	if left := len(missing) - begun; left > 0 && last.Job != "" {
		fmt.Fprintf(w, "%s missing, and no node started their tasks: if none of the tasks is waiting, check that "+
			"all nodes share %s\n",
			unit.CountOf(left, "run is", "runs are"), folder.Dir())
	}
	return nil
}
