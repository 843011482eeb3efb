package campaign

import (
	"context"
	"sync"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/testbed/model"
)

// Matrix is the runs of an experiment: its contenders or variants, each with
// each seed.
type Matrix struct {
	// Cells are the runs in the order in which they begin.
	Cells []Cell
	// Jobs is how many runs go on at a time. Range: from 1; less counts as 1.
	// The first job runs in the caller's goroutine, so that a thread that is
	// bound to a processor stays so.
	Jobs int
	// Partial says that an interrupted run is kept; otherwise it counts as not
	// run.
	Partial bool
	// Meter may be nil.
	Meter *Meter
}

// Cell is one run of a matrix.
type Cell struct {
	// Name names the run where it was not run, Title on the line of progress.
	Name, Title string
	// Plan makes the run's plan when its turn has come.
	Plan func() (*plan.Plan, error)
	// Run runs the plan; job is which of the concurrent jobs does so, from 0,
	// and progress is told how far it is, if not nil. On cancellation it
	// returns what there is, marked interrupted.
	Run func(ctx context.Context, p *plan.Plan, job int, progress func(model.Progress)) (*result.Outcome, error)
	// Keep takes what the run came to. No two cells are kept at the same time.
	Keep func(*result.Outcome, Run) error
}

// Run is a run and what it came to.
type Run struct {
	Summary *result.Summary
	Verdict result.Verdict
	// Remarks are the host's: see result.Outcome.
	Remarks []string
	// Timing is how a live run kept the clock on the wall, nil for others.
	Timing *result.Timing
	// Worst is its longest queue over time, nil where no series was recorded.
	Worst *result.WorstQueue
	// Slowest says which of its flows was the slowest, and why; nil where none was slow.
	Slowest *result.Slowness
	// Jobs are the median iterations of its collectives; empty if it has none, or nothing was recorded.
	Jobs []result.JobTime
	// SlowestFlow is its slowest flow with the parts of its time, nil if they are not known.
	SlowestFlow *result.SlowestFlow
}

// Do carries the runs out until all are done, one was interrupted or one has
// failed. It returns the names of the runs that were not kept, and of several
// errors the first cell's.
func (m *Matrix) Do(ctx context.Context) (notRun []string, err error) {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	w := &matrixRun{Matrix: m, giveUp: giveUp, kept: make([]bool, len(m.Cells)), errs: make([]error, len(m.Cells))}
	m.Meter.Expect(len(m.Cells))
	defer m.Meter.End()
	var others sync.WaitGroup
	for job := 1; job < min(m.Jobs, len(m.Cells)); job++ {
		others.Go(func() {
			defer crash.Guard()()
			w.job(ctx, job)
		})
	}
	w.job(ctx, 0)
	others.Wait()
	for i := range m.Cells {
		if !w.kept[i] {
			notRun = append(notRun, m.Cells[i].Name)
		}
		if err == nil {
			err = w.errs[i]
		}
	}
	return notRun, err
}

// matrixRun is a matrix under way.
type matrixRun struct {
	*Matrix
	giveUp func()

	mu   sync.Mutex
	next int
	over bool // no cell begins any more
	kept []bool
	errs []error
}

// job takes one cell after the other until none is left.
func (w *matrixRun) job(ctx context.Context, job int) {
	for {
		w.mu.Lock()
		cell := w.next
		w.next++
		over := w.over || cell >= len(w.Cells)
		w.mu.Unlock()
		if over {
			return
		}
		o, err := w.run(ctx, &w.Cells[cell], job)
		w.finish(cell, o, err)
	}
}

// run carries out a cell.
func (w *matrixRun) run(ctx context.Context, c *Cell, job int) (*result.Outcome, error) {
	p, err := c.Plan()
	if err != nil {
		return nil, err
	}
	progress := w.Meter.Start(job, c.Title)
	o, err := c.Run(ctx, p, job, progress)
	w.Meter.Finish(job, err == nil && !o.Interrupted)
	return o, err
}

// finish judges what a cell came to and keeps it.
func (w *matrixRun) finish(cell int, o *result.Outcome, err error) {
	keeps := err == nil && (w.Partial || !o.Interrupted)
	var run Run
	if keeps {
		summary := result.Summarise(o)
		run = Run{
			Summary:     summary,
			Verdict:     result.Judge(o, summary),
			Remarks:     o.Remarks,
			Timing:      o.Time,
			Worst:       o.WorstQueue(),
			Slowest:     o.Slowest(),
			SlowestFlow: o.SlowestFlow(),
			Jobs:        o.TypicalJobs(),
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if keeps {
		w.kept[cell] = true
		err = w.Cells[cell].Keep(o, run)
	}
	if err != nil {
		w.errs[cell] = err
		w.giveUp()
	}
	w.over = w.over || err != nil || o.Interrupted
}
