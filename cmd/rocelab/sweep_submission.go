package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
	"github.com/rocelab/rocelab/testbed/many/sweep/cluster"
)

// submission is a sweep on its way to an engine.
type submission struct {
	*submitFlags
	folder *sweep.Folder
	// sample measures the cost of a run; cost is its result.
	sample func(context.Context) (*campaign.Estimate, error)
	cost   *campaign.Estimate
	// jobs is the number of runs that a task makes at a time; memory bounds a task, 0 for the sample's result.
	jobs   int
	memory int64
	// flags are the engine's own.
	flags          []string
	stdout, stderr io.Writer
}

// missing are the runs of the plan that are not done.
func (s *submission) missing() ([]int, error) { return cluster.Missing(s.folder)(sweep.Whole) }

// do hands the sweep over. It returns the exit code.
func (s *submission) do(ctx context.Context) (int, error) {
	missing, err := s.missing()
	if err != nil {
		return 0, host(err)
	}
	runs := len(s.folder.Plan.Runs)
	if len(missing) == 0 {
		fmt.Fprintf(s.stdout, "all %d runs are done: nothing to submit (rocelab sweep table %s)\n", runs, s.folder.Dir())
		return 0, nil
	}
	if s.cost = (&campaign.Estimate{}); s.perTask == 0 || s.to != "local" && s.memory == 0 {
		if s.cost, err = s.sample(ctx); err != nil {
			return 0, err
		}
	}
	each := s.cost.Wall
	if s.to != "local" {
		each /= time.Duration(max(1, s.jobs))
	}
	size := cluster.Size{Runs: runs, PerTask: s.perTask, OneRun: each}
	if s.to == "slurm" {
		size.Most = cluster.MaxArray(ctx)
	}
	tasks := size.Tasks()
	if wanted := (cluster.Size{Runs: runs, PerTask: s.perTask, OneRun: size.OneRun}).Tasks(); wanted > tasks {
		fmt.Fprintf(s.stderr, "rocelab: %d tasks in place of %d: this cluster's MaxArraySize is %d\n", tasks, wanted,
			size.Most)
	}
	made, err := cluster.NewSubmission(s.folder.Dir(), s.to, tasks, s.flags)
	if err != nil {
		return 0, host(err)
	}
	shards := shardsOf(missing, tasks)
	if s.to == "local" {
		return s.local(ctx, made, shards)
	}
	name, text, err := s.artefact(made, shards)
	if err != nil {
		return 0, usage(err)
	}
	if err := made.WriteFile(name, text); err != nil {
		return 0, host(err)
	}
	path := filepath.Join(made.Folder, name)
	if s.print {
		_, err := io.WriteString(s.stdout, text)
		fmt.Fprintf(s.stderr, "written to %s and not submitted\n", path)
		return 0, host(err)
	}
	if err := made.HandOver(ctx); err != nil {
		return 0, host(fmt.Errorf("%w (it was handed %s)", err, path))
	}
	fmt.Fprintf(s.stdout, "%s job %s: %d of %d runs, in %s; %s\nrocelab sweep status %s\n", s.to,
		terminal.Line(made.Job), len(missing), runs, unit.Count(len(shards), "task"), path, s.folder.Dir())
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
func (s *submission) artefact(made *cluster.Submission, shards []int) (name, text string, err error) {
	program := s.program
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return "", "", err
		}
		if s.to == "kubernetes" {
			program = imageProgram
		}
	}
	job := cluster.Job{
		Name:       s.folder.About.Scenario,
		Program:    program,
		Submission: made.Folder,
		Probe:      made.Probe,
		Runs:       len(s.folder.Plan.Runs),
		Tasks:      made.Tasks,
		AtOnce:     s.atOnce,
		Cores:      max(1, s.jobs),
		Memory:     s.taskMemory(),
		Flags:      s.flags,
	}
	if s.to == "slurm" {
		text, err = cluster.Slurm(job, shards)
		return cluster.SlurmScript, text, err
	}
	volume, err := cluster.ParseVolume(s.volume)
	if err != nil {
		return "", "", err
	}
	text, err = cluster.Kubernetes(job, s.image, volume)
	return cluster.KubernetesJob, text, err
}

func (s *submission) taskMemory() int64 {
	if s.memory > 0 {
		return s.memory
	}
	each := int64(min(s.cost.Memory, math.MaxInt64/spareFactor/64))
	return spareFactor*each*int64(max(1, s.jobs)) + spareBytes
}

// local runs the tasks as processes of this machine.
func (s *submission) local(ctx context.Context, made *cluster.Submission, shards []int) (int, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, host(err)
	}
	task := func(ctx context.Context, shard int) (int, error) {
		log, err := os.Create(filepath.Join(made.Folder, "logs", fmt.Sprintf("%d.log", shard)))
		if err != nil {
			return 0, err
		}
		defer log.Close()
		t := &cluster.Task{
			Submission: made.Folder,
			Probe:      made.Probe,
			Shard:      sweep.Shard{Index: shard, Of: made.Tasks},
			Host:       made.Host,
			Jobs:       1,
			Program:    cmp.Or(s.program, program),
			Stderr:     log,
			Missing:    cluster.Missing(s.folder),
			Runs:       len(s.folder.Plan.Runs),
		}
		return t.Run(ctx)
	}
	code, err := cluster.Local(ctx, shards, cmp.Or(s.atOnce, s.jobs), task)
	if ctx.Err() != nil {
		return 0, errInterrupted
	}
	left, wrong := s.missing()
	if err != nil || wrong != nil {
		return 0, host(cmp.Or(err, wrong))
	}
	fmt.Fprintf(s.stdout, "%d of %d runs are done, in %s; logs in %s\n", len(s.folder.Plan.Runs)-len(left),
		len(s.folder.Plan.Runs), unit.Count(len(shards), "task"), filepath.Join(made.Folder, "logs"))
	return code, printMissing(s.stdout, s.folder)
}
