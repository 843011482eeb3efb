package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/model"
)

// Runner carries out runs of a sweep's folder.
type Runner struct {
	Folder *Folder
	Maker  *Maker
	// Jobs is the number of concurrent runs. Range: from 1; less counts as 1.
	Jobs int
	// Room bounds their memory; nil for no bound.
	Room *campaign.Room
	// Bench returns what one run is carried out with; job counts the jobs from 0.
	Bench func(job int) (*Bench, error)
	// ExitCode is the exit code of an error.
	ExitCode func(error) int
	// Series has run folders hold their time series.
	Series bool
	// Meter may be nil. Say receives messages for a person.
	Meter *campaign.Meter
	Say   func(text string)

	// planning guards Maker, whose methods are for one goroutine at a time.
	planning sync.Mutex
}

// Bench is the environment of one run.
type Bench struct {
	// Run is the runner. Complete, if not nil, makes a plan ready for it.
	Run      experiment.Runner
	Complete func(*plan.Plan) error
	// Algorithms, Printed and Page are an Experiment's.
	Algorithms func(*plan.Plan) ([]result.Algorithm, error)
	Printed    func() map[string][]byte
	Page       func(folder *result.Folder, manifest *result.Manifest)
	// Close ends what the run has started.
	Close func() error
}

// Do carries out the runs that are not done yet. It ends early when ctx is cancelled, without an error, and when the
// host refuses, with one of the host.
func (r *Runner) Do(ctx context.Context, runs []*Run) (err error) {
	todo, err := r.Missing(runs)
	if err != nil || len(todo) == 0 {
		return err
	}
	if err := r.Folder.Open(); err != nil {
		return exit.Host(err)
	}
	defer func() { err = errors.Join(err, exit.Host(r.Folder.Close())) }()
	r.Meter.Expect(len(todo))
	defer r.Meter.End()
	queue := campaign.Queue{
		Jobs:      r.Jobs,
		Pieces:    len(todo),
		Elsewhere: func(i int) bool { return r.Folder.Elsewhere(todo[i].ID) },
		Do: func(ctx context.Context, i, job int) (over bool, err error) {
			if ctx.Err() != nil {
				return true, nil
			}
			run, began := todo[i], time.Now()
			progress := r.Meter.Start(job, run.Name())
			row, made, err := r.One(ctx, run, job, progress)
			r.Meter.Finish(job, row != nil)
			if row != nil && made {
				r.Meter.Row(cmp.Or(row.Verdict, "no result"), time.Since(began), run.Name())
			}
			return false, err
		},
	}
	return queue.Run(ctx)
}

// Missing returns the runs that are not done, each ID once. An invalid result under a run's name is set aside.
func (r *Runner) Missing(runs []*Run) (todo []*Run, err error) {
	ids := make([]campaign.ID, len(runs))
	for i, run := range runs {
		ids[i] = run.ID
	}
	places, err := r.Folder.Missing(ids, r.Say)
	for _, i := range places {
		todo = append(todo, runs[i])
	}
	return todo, err
}

// One makes a run and its result, as Store.Make does; the folder is open. The row is nil if the run was interrupted, or
// the host refuses, which is the error.
func (r *Runner) One(ctx context.Context, run *Run, job int,
	progress func(model.Progress)) (row *campaign.Row, made bool, err error) {
	return r.Folder.Make(run.ID, func(staged string) (*campaign.Row, int, error) {
		return r.carryOut(ctx, run, job, staged, progress)
	})
}

// carryOut makes a run and its folder. It returns the row of a run that is done; of an
// interrupted one none and no error; else an error of the host.
func (r *Runner) carryOut(ctx context.Context, run *Run, job int, staged string,
	progress func(model.Progress)) (row *campaign.Row, code int, err error) {
	report, err := r.execute(ctx, run, job, staged, progress)
	if err == nil && len(report.Runs) == 0 {
		return nil, exit.CodeInterrupted, nil
	}
	if err == nil {
		if report.Interrupted() {
			return nil, exit.CodeInterrupted, nil
		}
		return campaign.RowOf(run.ID, &report.Runs[0]), report.ExitCode(), nil
	}
	if ctx.Err() != nil {
		return nil, exit.CodeInterrupted, nil
	}
	if other := (mismatch{}); errors.As(err, &other) {
		return nil, exit.CodeHost, err
	}
	if code = r.ExitCode(err); code == exit.CodeUsage || code == exit.CodePlugin {
		r.Say(fmt.Sprintf("run %d (%s): %v", run.Index, run.Name(), err))
		return &campaign.Row{ID: run.ID, Exit: code, Error: err.Error()}, code, nil
	}
	return nil, code, exit.Host(fmt.Errorf("run %d (%s): %w", run.Index, run.Name(), err))
}

// execute carries a run out, with its folder at a place.
func (r *Runner) execute(ctx context.Context, run *Run, job int, staged string,
	progress func(model.Progress)) (*experiment.Report, error) {
	planned, source, err := r.make(ctx, run)
	if err != nil {
		return nil, err
	}
	bench, err := r.Bench(job)
	if err != nil {
		return nil, err
	}
	if bench.Complete != nil {
		if err := bench.Complete(planned); err != nil {
			return nil, errors.Join(err, bench.Close())
		}
	}
	if r.Room != nil {
		defer r.Room.Enter(planned)()
	}
	e := experiment.Experiment{
		Name:       r.Folder.About.Scenario,
		Digest:     digestOf(source),
		Source:     source,
		Resolved:   source,
		Plans:      func(*uint64) ([]*plan.Plan, error) { return []*plan.Plan{planned}, nil },
		Algorithms: bench.Algorithms,
		Printed:    bench.Printed,
		Page:       bench.Page,
		Folder: func() (*result.Folder, error) {
			folder, err := result.Create(staged)
			if err != nil {
				return nil, err
			}
			folder.WithoutSync() // Publish makes sure of all at once
			if !r.Series {
				folder.WithoutSeries()
				folder.WithoutColumns() // the sweep's folder has them
			}
			return folder, nil
		},
		Run: func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
			t.Progress = progress
			return bench.Run(ctx, t)
		},
	}
	report, err := e.Do(ctx)
	return report, errors.Join(err, bench.Close())
}

// mismatch is a run that is another one on this host.
type mismatch struct{ error }

// ExitCode is that of the host: another one may do it.
func (mismatch) ExitCode() int { return exit.CodeHost }

// make makes the plan of a run. Its error is one of the host where the run has another name here
// than in the plan of the sweep: the result would be another's; and that of ctx when ctx ends first.
func (r *Runner) make(ctx context.Context, run *Run) (*plan.Plan, []byte, error) {
	var one struct {
		planned *plan.Plan
		source  []byte
	} // it is not what is returned: who was left behind may still write it
	err := campaign.Heed(ctx, func() (err error) {
		one.planned, one.source, err = r.makeLocked(run)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return one.planned, one.source, nil
}

func (r *Runner) makeLocked(run *Run) (*plan.Plan, []byte, error) {
	r.planning.Lock()
	defer r.planning.Unlock()
	id, err := r.Maker.ID(run)
	if err != nil {
		return nil, nil, err
	}
	if id != run.ID {
		return nil, nil, mismatch{fmt.Errorf("run %d (%s) is %s here and %s in the sweep's plan: an algorithm's "+
			"program, a file or the rocelab of this host has changed; models here have version %d, the plan's "+
			"%d", run.Index,
			run.Name(), id.Short(), run.ID.Short(), r.Maker.Models, r.Folder.About.Models)}
	}
	planned, err := r.Maker.PlanOf(run)
	return planned, r.Maker.SourceOf(run), err
}
