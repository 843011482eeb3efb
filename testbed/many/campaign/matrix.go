package campaign

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/model"
)

// Matrix is the runs of an experiment: its contenders or variants, each with
// each seed.
type Matrix struct {
	// Cells are the runs in the order in which they begin.
	Cells []Cell
	// Jobs is the number of concurrent runs, as a Queue has it.
	Jobs int
	// Partial is set if an interrupted run is kept; otherwise it counts as not run.
	Partial bool
	// Meter may be nil.
	Meter *Meter
	// Unfinished keeps whole runs, and has the runs that the same command made before it was interrupted; nil keeps
	// none, and so does a matrix of one run.
	Unfinished *Unfinished
}

// Cell is one run of a matrix.
type Cell struct {
	// Name is the name of a run that was not run, Title its name on the line of progress.
	Name, Title string
	// Plan makes the run's plan when its turn has come.
	Plan func() (*plan.Plan, error)
	// ID names the run by its plan for Unfinished; if it is nil, or fails, the run is not kept.
	ID func(*plan.Plan) (ID, error)
	// Run runs the plan; job is the number of the concurrent job, from 0, and progress, if not nil, receives its
	// progress. On cancellation it returns the outcome so far, marked interrupted.
	Run func(ctx context.Context, p *plan.Plan, job int, progress func(model.Progress)) (*result.Outcome, error)
	// Keep takes what the run came to. No two cells are kept at the same time.
	Keep func(*result.Outcome, Run) error
	// Save describes what Keep has written, and returns what puts its files into a directory. Adopt takes them from there
	// in place of Run and Keep; after an error the run is made. Nil if Keep writes no files: it is then called without
	// an outcome.
	Save  func() (written *result.Written, files func(dir string) error)
	Adopt func(files string, done *Done) error
	// Status returns the status on the run's line; nil for its verdict's.
	Status func(*Run) result.Status
}

// status returns the status on the line of a run.
func (c *Cell) status(run *Run) string {
	if c.Status != nil {
		return c.Status(run).String()
	}
	return run.Verdict.Status.String()
}

// Done is a run that is kept until all of a command's are done.
type Done struct {
	Run Run
	// Written are its files, nil for none.
	Written *result.Written
}

// Run is a run and what it came to.
type Run struct {
	Summary *result.Summary
	Verdict result.Verdict
	// Remarks are the host's: see result.Outcome.
	Remarks []string
	// Timing describes how a live run kept the wall clock, nil for others.
	Timing *result.Timing
	// Worst is its longest queue over time, nil if no series was recorded.
	Worst *result.WorstQueue
	// Slowest describes its slowest flow and the reason; nil if none was slow.
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
	w := &matrixRun{Matrix: m, kept: make([]bool, len(m.Cells))}
	m.Meter.Expect(len(m.Cells))
	defer m.Meter.End()
	err = (&Queue{Jobs: m.Jobs, Pieces: len(m.Cells), Do: w.run}).Run(ctx)
	for i := range m.Cells {
		if !w.kept[i] {
			notRun = append(notRun, m.Cells[i].Name)
		}
	}
	return notRun, err
}

// matrixRun is a matrix under way.
type matrixRun struct {
	*Matrix

	mu   sync.Mutex
	kept []bool

	naming sync.Mutex // of ID
}

// run carries out a cell, unless it was done before. The matrix is over with an interrupted run.
func (w *matrixRun) run(ctx context.Context, cell, job int) (over bool, err error) {
	c := &w.Cells[cell]
	p, err := c.Plan()
	if err != nil {
		return true, err
	}
	id := w.idOf(c, p)
	progress := w.Meter.Start(job, c.Title)
	if w.adopt(cell, id) {
		w.Meter.Finish(job, true)
		return false, nil
	}
	began := time.Now()
	o, err := c.Run(ctx, p, job, progress)
	w.Meter.Finish(job, err == nil && !o.Interrupted)
	if err == nil && (w.Partial || !o.Interrupted) {
		err = w.finish(cell, id, time.Since(began), o)
	}
	return err != nil || o.Interrupted, err
}

// idOf returns the ID of a run among the unfinished, "" if it is not kept.
func (w *matrixRun) idOf(c *Cell, p *plan.Plan) ID {
	if w.Unfinished == nil || c.ID == nil || len(w.Cells) < 2 {
		return ""
	}
	w.naming.Lock()
	defer w.naming.Unlock()
	id, err := c.ID(p)
	if err != nil {
		return ""
	}
	return id
}

// errIncomplete is the error of a kept run without its results.
var errIncomplete = errors.New("its results are missing")

// adopt takes over a run that was done before; false if there is none.
func (w *matrixRun) adopt(cell int, id ID) bool {
	if id == "" {
		return false
	}
	done := &Done{}
	files, found := w.Unfinished.Find(id, done)
	if !found {
		return false
	}
	c := &w.Cells[cell]
	w.mu.Lock()
	defer w.mu.Unlock()
	err := errIncomplete
	switch {
	case done.Run.Summary == nil:
	case c.Adopt != nil:
		err = c.Adopt(files, done)
	default:
		err = c.Keep(nil, done.Run)
	}
	if err != nil {
		w.Unfinished.Refuse(id)
		return false
	}
	w.kept[cell] = true
	w.Meter.Row(c.status(&done.Run), -1, c.Name)
	return true
}

// finish judges what a cell came to and keeps it.
func (w *matrixRun) finish(cell int, id ID, took time.Duration, o *result.Outcome) error {
	run := runOf(o)
	w.mu.Lock()
	defer w.mu.Unlock()
	c := &w.Cells[cell]
	w.kept[cell] = true
	if err := c.Keep(o, run); err != nil {
		return err
	}
	w.Meter.Row(c.status(&run), took, c.Name)
	if id != "" && !o.Interrupted && run.Timing == nil {
		w.save(c, id, run)
	}
	return nil
}

// save keeps a run until all are done.
func (w *matrixRun) save(c *Cell, id ID, run Run) {
	done := Done{Run: run}
	var files func(string) error
	if c.Save != nil {
		if done.Written, files = c.Save(); done.Written == nil {
			return
		}
	}
	w.Unfinished.Keep(id, &done, files)
}

// runOf judges an outcome.
func runOf(o *result.Outcome) Run {
	summary := result.Summarise(o)
	return Run{
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
