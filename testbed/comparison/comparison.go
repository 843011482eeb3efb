package comparison

import (
	"context"
	"fmt"
	"sync"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/model"
)

// Contender is an algorithm with what runs it.
type Contender struct {
	Entry Entry
	// Algorithm is its name, Program the path of its program, "" where it is
	// built in.
	Algorithm, Program string
	// Plan makes the plan of a seed, all of whose flows have this algorithm.
	Plan func(seed uint64) (*plan.Plan, error)
	// Run runs a plan; job is which of the concurrent jobs does so, from 0.
	// On cancellation it returns what there is, marked interrupted.
	Run func(ctx context.Context, p *plan.Plan, job int, progress func(model.Progress)) (*result.Outcome, error)
}

// Comparison is what to do.
type Comparison struct {
	// Scenario is its name, Variant that of the variant whose other settings
	// hold, "" for none.
	Scenario, Variant string
	// Contenders are compared with the first of them.
	Contenders []Contender
	Seeds      []uint64
	// Jobs is how many runs go on at a time. Range: from 1.
	Jobs int
	// Metrics are the rows.
	Metrics []Metric
	// Reference may be nil.
	Reference *Reference
	// Meter may be nil.
	Meter *Meter
}

// task is one run.
type task struct{ contender, seed int }

// session is a comparison under way.
type session struct {
	*Comparison
	tasks []task

	mu   sync.Mutex
	next int
	runs [][]*Run // by contender and seed; nil if not run to its end
	errs []error  // by task
}

// Do carries the comparison out, seed by seed, so that an interruption leaves
// whole seeds. With an error it may return a report of the runs that were done.
func (c *Comparison) Do(ctx context.Context) (*Report, error) {
	s := &session{Comparison: c, runs: make([][]*Run, len(c.Contenders))}
	for i := range s.runs {
		s.runs[i] = make([]*Run, len(c.Seeds))
	}
	for seed := range c.Seeds {
		for contender := range c.Contenders {
			s.tasks = append(s.tasks, task{contender, seed})
		}
	}
	s.errs = make([]error, len(s.tasks))
	c.Meter.begin(len(s.tasks))
	defer c.Meter.End()

	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var wait sync.WaitGroup
	for job := range min(max(c.Jobs, 1), len(s.tasks)) {
		wait.Go(func() { s.work(ctx, giveUp, job) })
	}
	wait.Wait()
	for _, err := range s.errs {
		if err != nil {
			return s.report(), err
		}
	}
	return s.report(), nil
}

// work takes one task after the other until none is left or one has failed.
func (s *session) work(ctx context.Context, giveUp func(), job int) {
	for ctx.Err() == nil {
		s.mu.Lock()
		number := s.next
		s.next++
		s.mu.Unlock()
		if number >= len(s.tasks) {
			return
		}
		run, err := s.run(ctx, s.tasks[number], job)
		s.mu.Lock()
		if t := s.tasks[number]; err != nil {
			s.errs[number] = err
		} else {
			s.runs[t.contender][t.seed] = run
		}
		s.mu.Unlock()
		if err != nil {
			giveUp()
		}
	}
}

// run carries out a task; nil if it was interrupted.
func (s *session) run(ctx context.Context, t task, job int) (*Run, error) {
	c := &s.Contenders[t.contender]
	p, err := c.Plan(s.Seeds[t.seed])
	if err != nil {
		return nil, err
	}
	show := s.Meter.start(job, s.nameOf(t))
	o, err := c.Run(ctx, p, job, show)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.nameOf(t), err)
	}
	if o.Interrupted {
		return nil, nil
	}
	s.Meter.done(job)
	summary := result.Summarise(o)
	return &Run{Seed: s.Seeds[t.seed], Summary: summary, Verdict: result.Judge(o, summary), Remarks: o.Remarks}, nil
}

func (s *session) nameOf(t task) string {
	return fmt.Sprintf("%s seed %d", s.Contenders[t.contender].Entry.Text, s.Seeds[t.seed])
}

// report gathers what was run.
func (s *session) report() *Report {
	r := &Report{Scenario: s.Scenario, Variant: s.Variant, Seeds: s.Seeds, Metrics: s.Metrics, Reference: s.Reference}
	for i := range s.Contenders {
		c := &s.Contenders[i]
		column := Column{Entry: c.Entry, Algorithm: c.Algorithm, Program: c.Program}
		for _, run := range s.runs[i] {
			if run != nil {
				column.Runs = append(column.Runs, *run)
			}
		}
		r.Columns = append(r.Columns, column)
	}
	for _, t := range s.tasks {
		if s.runs[t.contender][t.seed] == nil {
			r.NotRun = append(r.NotRun, s.nameOf(t))
		}
	}
	return r
}
