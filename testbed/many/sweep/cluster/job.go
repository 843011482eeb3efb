package cluster

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Job is the description of a submission for any engine.
type Job struct {
	Name       string        // of the sweep; what engines do not take of it is left out
	Program    string        // rocelab, as a path on the nodes
	Submission string        // its folder, an absolute path
	Probe      string        // what its file probe says
	Runs       int           // of the plan
	Tasks      int           // shards
	AtOnce     int           // tasks at a time; 0 for as many as there is room
	Cores      int           // of a task; so many runs at a time
	Memory     int64         // of a task, in bytes
	Flags      []string      // the engine's own, as the user gave them
	Estimate   time.Duration // of a task; 0 where it is not known
}

// problems returns the parts that engines cannot take.
func (j Job) problems() error {
	var all []error
	if !filepath.IsAbs(j.Submission) || strings.ContainsAny(j.Submission+j.Program, "\n\r\x00") {
		all = append(all, fmt.Errorf("folder %q: an engine needs an absolute path without line breaks", j.Submission))
	}
	if j.Tasks < 1 || j.Tasks > j.Runs {
		all = append(all, fmt.Errorf("%d tasks for %d runs: allowed are 1 to %[2]d", j.Tasks, j.Runs))
	}
	if j.Cores < 1 || j.Memory < 1 || j.AtOnce < 0 {
		all = append(all, fmt.Errorf("%d cores and %d bytes a task, %d tasks at a time: wanted are positive numbers",
			j.Cores, j.Memory, j.AtOnce))
	}
	return errors.Join(all...)
}

// mebibytes is the task's memory as engines take it, rounded up.
func (j Job) mebibytes() int64 { return (j.Memory + 1<<20 - 1) >> 20 }

// label is the sweep's name as engines take it: small letters, digits and dashes.
func (j Job) label() string {
	dash := func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}
	name := strings.Trim(strings.Map(dash, j.Name), "-")
	name = strings.Trim(name[:min(len(name), 30)], "-")
	if name == "" {
		return "sweep"
	}
	return name
}

// Size determines how the runs of a plan are spread over tasks.
type Size struct {
	Runs    int
	PerTask int           // runs a task; 0 for about worth of work
	OneRun  time.Duration // estimate of a run; 0 where it is not known
	Most    int           // tasks that the engine takes at most; 0 for no bound
}

// worth is the default work of a task: starting it then costs a few percent at most, and losing it a few minutes.
const worth = 5 * time.Minute

// Tasks is the number of tasks. A bound of the engine makes them larger.
func (s Size) Tasks() int {
	each := s.PerTask
	if each <= 0 {
		each = 1
		if s.OneRun > 0 {
			each = int(max(1, worth/s.OneRun))
		}
	}
	tasks := (s.Runs + each - 1) / each
	if s.Most > 0 {
		tasks = min(tasks, s.Most)
	}
	return max(1, tasks)
}
