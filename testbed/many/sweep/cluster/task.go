package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// grace is how long a run may take to end after it was asked to stop.
const grace = 20 * time.Second

// Exit codes of processes that a signal ended, as shells and engines have them.
const (
	exitKilled     = 128 + int(syscall.SIGKILL)
	exitTerminated = 128 + int(syscall.SIGTERM)
)

// Task is one task of a submission: a shard, on one host.
type Task struct {
	Submission string // its folder, OUT/submit/001
	Probe      string // what its file probe must say
	Shard      sweep.Shard
	Host       string // as the record of tries has it
	Jobs       int    // runs at a time
	Program    string // rocelab
	Stderr     io.Writer
	// Missing lists the plan's runs of the shard that have no row yet, by index.
	Missing func(sweep.Shard) ([]int, error)
	// Runs is the number of runs in the plan: run r by itself is the shard r/Runs.
	Runs int
}

// Missing lists the indexes of the unfinished runs of a sweep's shard. A run whose folder is not a valid result is not
// done.
func Missing(f *sweep.Folder) func(sweep.Shard) ([]int, error) {
	return func(s sweep.Shard) (missing []int, err error) {
		for _, r := range s.Runs(f.Plan) {
			row, err := f.Row(r.ID)
			var damaged *campaign.DamagedError
			if err != nil && !errors.As(err, &damaged) {
				return nil, err
			}
			if row == nil {
				missing = append(missing, r.Index)
			}
		}
		return missing, nil
	}
}

// out is the sweep's folder, two above the submission's.
func (t *Task) out() string { return filepath.Dir(filepath.Dir(t.Submission)) }

// CheckProbe looks whether this host sees the folder that the submission was written to.
func CheckProbe(submission, probe, host string) error {
	text, err := os.ReadFile(filepath.Join(submission, "probe"))
	switch {
	case err == nil && string(text) == probe:
		return nil
	case err == nil:
		return fmt.Errorf("%s on %s is not the folder that was submitted: its probe differs. All nodes must share "+
			"the output folder", submission, host)
	}
	return fmt.Errorf("%s does not see the folder that was submitted (%v). All nodes must share the output "+
		"folder", host, err)
}

// Run runs the shard and returns the exit code for the engine.
func (t *Task) Run(ctx context.Context) (int, error) {
	if err := CheckProbe(t.Submission, t.Probe, t.Host); err != nil {
		return exit.CodeHost, err
	}
	before, err := ReadTries(t.Submission)
	if err != nil {
		return exit.CodeHost, err
	}
	j, err := openJournal(t.Submission, t.Host)
	if err != nil {
		return exit.CodeHost, err
	}
	defer j.file.Close()
	if tried := before[t.Shard.String()]; !killed(tried) && Begun(tried) < maxTries && t.Shard.Of < t.Runs {
		code, err := t.once(ctx, j, t.Shard)
		if !again(code) || ctx.Err() != nil || err != nil {
			return told(code), err
		}
	}
	return t.alone(ctx, j, before)
}

// alone runs the missing runs of the shard one at a time, each in its own process, and goes on after failures.
func (t *Task) alone(ctx context.Context, j *journal, before map[string][]Try) (int, error) {
	missing, err := t.Missing(t.Shard)
	if err != nil {
		return exit.CodeHost, err
	}
	worst := exit.CodePass
	for _, r := range missing {
		one := sweep.Shard{Index: r, Of: t.Runs}
		code, err := t.try(ctx, j, one, before[one.String()])
		switch {
		case err != nil, ctx.Err() != nil, code == exit.CodeHost:
			return code, err
		case again(code):
			fmt.Fprintf(t.Stderr, "run %d: tried %d times, ended from outside each time (code %d); not tried again\n",
				r, maxTries, code)
			worst = exit.Gravest(worst, code)
		default:
			worst = exit.Gravest(worst, told(code))
		}
	}
	return worst, nil
}

// try runs one run until it ends by itself, at most as often as is left to it.
func (t *Task) try(ctx context.Context, j *journal, one sweep.Shard, before []Try) (int, error) {
	code := exitKilled
	for n := Begun(before); n < maxTries; n++ {
		var err error
		if code, err = t.once(ctx, j, one); err != nil || ctx.Err() != nil || !again(code) {
			return code, err
		}
	}
	return code, nil
}

// once runs a part, and records that it did.
func (t *Task) once(ctx context.Context, j *journal, part sweep.Shard) (int, error) {
	if err := j.write(Try{Shard: part.String()}); err != nil {
		return exit.CodeHost, err
	}
	code, err := t.process(ctx, part)
	if err != nil {
		return exit.CodeHost, err
	}
	stopped := ctx.Err() != nil && again(code)
	if stopped {
		code = exitTerminated
	}
	if err := j.write(Try{Shard: part.String(), Code: &code, Stopped: stopped}); err != nil {
		return exit.CodeHost, err
	}
	return code, nil
}

// process runs a part as a process and returns its exit code.
func (t *Task) process(ctx context.Context, part sweep.Shard) (int, error) {
	c := exec.CommandContext(ctx, t.Program, "sweep", t.out(), "--shard", part.String(),
		"--jobs", fmt.Sprint(max(1, t.Jobs)), "--progress", "none")
	c.Stdout, c.Stderr = t.Stderr, t.Stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = grace
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && c.ProcessState == nil {
		return 0, err
	}
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return c.ProcessState.ExitCode(), nil
}

// again reports whether a process that ended with this code was ended from outside.
func again(code int) bool {
	return code == exit.CodeInterrupted || code == exitKilled || code == exitTerminated
}

// told returns the code for an engine: results do not count as failures.
func told(code int) int {
	if code == exit.CodeFailed || code == exit.CodeVerdict {
		return 0
	}
	return code
}
