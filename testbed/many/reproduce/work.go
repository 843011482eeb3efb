package reproduce

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Work is several rows that are carried out together.
type Work struct {
	List []*Job
	// Out is the folder of results: a folder of a sweep's results for each row.
	Out string
	// Jobs is the number of concurrent runs, of any rows. Range: from 1; less counts as 1.
	Jobs int
	// Room bounds their memory.
	Room *campaign.Room
	// Meter may be nil. Say gets what a person must know.
	Meter *campaign.Meter
	Say   func(text string)
	// Seconds is the time of a job's runs together, one after the other, NaN or 0 if that is not known; nil if it never
	// is.
	Seconds func(*Job) float64
	// Unfinished keeps the figures of rows that compute until the work is done; nil keeps none.
	Unfinished *campaign.Unfinished

	// turns are numbers from 0 up, one for each run that may go on.
	turns chan int
}

// Left counts the runs that are not done yet, with their time together, one after the other, as far as that is known:
// for Unknown rows it is not.
type Left struct {
	Runs    int
	Time    time.Duration
	Unknown []*Job
}

// Text is the time of the work with so many runs at a time.
func (l *Left) Text(jobs int) string {
	jobs = max(1, min(jobs, l.Runs))
	return fmt.Sprintf("%v of processor time, %v with %d at a time", campaign.Rounded(l.Time.Round(time.Second)),
		campaign.Rounded((l.Time / time.Duration(jobs)).Round(time.Second)), jobs)
}

// Left works out what there is to do. A run that several rows have counts once.
func (w *Work) Left() (left Left, err error) {
	err = w.each(func(job *Job, runs int) {
		left.Runs += runs
		seconds, known := w.seconds(job)
		switch {
		case runs == 0 && job.Plan != nil:
		case known:
			left.Time += unit.Whole[time.Duration](seconds * job.share(runs) * 1e9)
		default:
			left.Unknown = append(left.Unknown, job)
		}
	})
	return left, err
}

// each calls f for each job that can be carried out, with the number of its runs that are neither done nor an earlier
// job's.
func (w *Work) each(f func(job *Job, runs int)) error {
	type run struct {
		dir string
		id  campaign.ID
	}
	counted := map[run]bool{}
	for _, job := range w.List {
		if job.Err != nil {
			continue
		}
		missing, err := job.missing(w.Out)
		if err != nil {
			return exit.Host(err)
		}
		runs := 0
		for _, id := range missing {
			if one := (run{job.store(w.Out).Dir(), id}); !counted[one] {
				counted[one] = true
				runs++
			}
		}
		f(job, runs)
	}
	return nil
}

// share returns the part of a job's runs that the given number is.
func (j *Job) share(runs int) float64 {
	if j.Plan == nil {
		return 1
	}
	return float64(runs) / float64(j.distinct())
}

// distinct counts the runs of a job, equal ones once.
func (j *Job) distinct() int {
	seen := map[campaign.ID]bool{}
	for i := range j.Plan.Runs {
		seen[j.Plan.Runs[i].ID] = true
	}
	return len(seen)
}

func (w *Work) seconds(job *Job) (seconds float64, known bool) {
	if w.Seconds == nil {
		return 0, false
	}
	seconds = w.Seconds(job)
	return seconds, seconds > 0
}

// weight returns the weight of a job's run in all the work, for the meter: its seconds, or a few if they are not known.
func (w *Work) weight(job *Job) float64 {
	seconds, known := w.seconds(job)
	if !known {
		return 2
	}
	if job.Plan != nil {
		seconds /= float64(job.distinct())
	}
	return max(seconds, 0.01)
}

// Do carries all rows out, and gives each to done in the order of the list. It ends early when
// ctx is cancelled, without an error: rows whose runs are not all done say so. An error is one
// of the host, or done's.
func (w *Work) Do(ctx context.Context, done func(*Judged) error) error {
	w.turns = make(chan int, max(1, w.Jobs))
	for turn := range cap(w.turns) {
		w.turns <- turn
	}
	if err := w.expect(); err != nil {
		return err
	}
	defer w.Meter.End()
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	queue := make(chan int)
	judged := make([]chan *Judged, len(w.List))
	for i := range judged {
		judged[i] = make(chan *Judged, 1)
	}
	var workers sync.WaitGroup
	defer workers.Wait()
	for range min(cap(w.turns), len(w.List)) {
		workers.Go(func() {
			defer crash.Guard()()
			for i := range queue {
				one, err := w.one(ctx, w.List[i])
				if err != nil {
					giveUp(err)
				}
				judged[i] <- one
			}
		})
	}
	workers.Go(func() {
		for i := range w.List {
			queue <- i // those after an interruption end at once
		}
		close(queue)
	})
	var failed error
	for i := range w.List {
		one := <-judged[i]
		if one != nil && failed == nil {
			if failed = done(one); failed != nil {
				giveUp(failed)
			}
		}
	}
	if cause := context.Cause(ctx); failed == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		failed = cause
	}
	return failed
}

// expect gives the meter what there is to do.
func (w *Work) expect() error {
	runs, whole := 0, 0.0
	err := w.each(func(job *Job, left int) {
		if job.Plan == nil {
			left = 1
		}
		runs += left
		whole += float64(left) * w.weight(job)
	})
	w.Meter.ExpectWork(runs, whole)
	return err
}

// Sample makes a few of a job's runs for a short time each, keeps nothing, and returns the estimated time of all of
// them one after the other.
func (w *Work) Sample(ctx context.Context, job *Job) (time.Duration, error) {
	runner := job.runner(job.store(w.Out))
	estimate, err := runner.Sample(ctx, job.runs())
	if err != nil {
		return 0, err
	}
	return estimate.Wall * time.Duration(job.distinct()), nil
}

// one carries a row out and judges it.
func (w *Work) one(ctx context.Context, job *Job) (*Judged, error) {
	if job.Err != nil {
		return job.Judge(ctx, w.Out), nil
	}
	if job.Plan == nil {
		turn := <-w.turns
		defer func() { w.turns <- turn }()
		w.Meter.StartPart(turn, job.Row.ID, w.weight(job))
		began := time.Now()
		job.unfinished = w.Unfinished
		judged := job.Judge(ctx, w.Out)
		judged.Seconds = time.Since(began).Seconds()
		w.Meter.Finish(turn, ctx.Err() == nil)
		return judged, nil
	}
	if err := job.do(ctx, w); err != nil {
		return nil, err
	}
	return job.Judge(ctx, w.Out), nil
}

// bench is the site's for one run, when its turn has come; the turn ends with the run.
func (w *Work) bench(job *Job) (*sweep.Bench, error) {
	turn := <-w.turns
	bench, err := job.site.Bench(turn)
	if err != nil {
		w.turns <- turn
		return nil, err
	}
	run, end := bench.Run, bench.Close
	whole := false
	bench.Run = func(ctx context.Context, t experiment.Task) (*result.Outcome, error) {
		title := fmt.Sprintf("%s, %s, seed %d", job.Row.ID, t.Plan.Name, t.Plan.Seed)
		t.Progress = w.Meter.StartPart(turn, title, w.weight(job))
		outcome, err := run(ctx, t)
		whole = err == nil && !outcome.Interrupted
		w.Meter.Finish(turn, whole)
		return outcome, err
	}
	bench.Close = func() error {
		defer func() { w.turns <- turn }()
		return end()
	}
	return bench, nil
}
