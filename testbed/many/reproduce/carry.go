package reproduce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Do carries all rows out, and gives each to done in the order of the list. It ends early when
// ctx is cancelled, without an error: rows whose runs are not all done say so. An error is one
// of the host, or done's.
func (w *Work) Do(ctx context.Context, done func(*Judged) error) (err error) {
	c := &carrying{Work: w, done: done}
	defer func() {
		if ended := c.end(); err == nil {
			err = exit.Host(ended)
		}
	}()
	if err := c.begin(); err != nil {
		return err
	}
	defer w.Meter.End()
	err = (&campaign.Queue{Jobs: w.Jobs, Pieces: len(c.pieces), Elsewhere: c.elsewhere, Do: c.do}).Run(ctx)
	if err != nil {
		c.giveRest()
	}
	return err
}

// carrying is work under way.
type carrying struct {
	*Work
	done   func(*Judged) error
	rows   []*carried
	pieces []*piece

	mu sync.Mutex
	// given is the number of rows that done has, refused its error.
	given   int
	refused error
}

// carried is a job under way.
type carried struct {
	*Job
	// runner makes runs, nil if there is none to make; left is the number of pieces that are not done.
	runner *sweep.Runner
	left   atomic.Int64
	judged *Judged // nil before
}

// piece is a run, or a row that needs none: one that computes, or has all of its runs.
type piece struct {
	run *sweep.Run
	// rows are those with the run; the first makes it.
	rows []*carried
}

// begin lists the pieces, and opens the folders of rows that make runs, as they are the first to have them.
func (c *carrying) begin() error {
	of := map[made]*piece{}
	count, whole := 0, 0.0
	for _, job := range c.List {
		r := &carried{Job: job}
		c.rows = append(c.rows, r)
		missing, err := c.missing(r)
		if err != nil {
			return err
		}
		own := 0
		for _, run := range missing {
			one := made{r.runner.Folder.Dir(), run.ID}
			if of[one] == nil {
				of[one] = &piece{run: run}
				c.pieces = append(c.pieces, of[one])
				own++
			}
			of[one].rows = append(of[one].rows, r)
		}
		if own > 0 {
			if err := r.runner.Folder.Open(); err != nil {
				return exit.Host(err)
			}
		}
		if len(missing) == 0 {
			c.pieces = append(c.pieces, &piece{rows: []*carried{r}})
		}
		if job.computes() {
			own = 1
		}
		r.left.Store(int64(max(1, len(missing))))
		count, whole = count+own, whole+float64(own)*c.weight(job)
	}
	c.Meter.ExpectWork(count, whole)
	return nil
}

// missing writes the request of a row with runs, and returns the ones that are not done.
func (c *carrying) missing(r *carried) ([]*sweep.Run, error) {
	if r.Err != nil || r.Plan == nil {
		return nil, nil
	}
	store := r.store(c.Out)
	if err := r.write(store.Dir()); err != nil {
		return nil, exit.Host(err)
	}
	r.runner = r.Job.runner(store)
	r.runner.Room, r.runner.Say = c.Room, c.Say
	return r.runner.Missing(r.runs())
}

// end closes the folders.
func (c *carrying) end() (err error) {
	for _, r := range c.rows {
		if r.runner != nil {
			err = errors.Join(err, r.runner.Folder.Close())
		}
	}
	return err
}

func (c *carrying) elsewhere(i int) bool {
	p := c.pieces[i]
	return p.run != nil && p.rows[0].runner.Folder.Elsewhere(p.run.ID)
}

// do makes a run, unless there was an interruption, and judges the rows that had only this one left.
func (c *carrying) do(ctx context.Context, i, job int) (over bool, err error) {
	p := c.pieces[i]
	if first := p.rows[0]; p.run != nil && ctx.Err() == nil {
		title := fmt.Sprintf("%s, %s, seed %d", first.Row.ID, cmp.Or(p.run.Variant, first.name), p.run.Seed)
		progress := c.Meter.StartPart(job, title, c.weight(first.Job))
		row, _, err := first.runner.One(ctx, p.run, job, progress)
		c.Meter.Finish(job, row != nil)
		if err != nil {
			return true, err
		}
	}
	for _, r := range p.rows {
		if r.left.Add(-1) > 0 {
			continue
		}
		if err := c.give(r, c.judge(ctx, r.Job, job)); err != nil {
			return true, err
		}
	}
	return false, nil
}

// give gives done a row, and the ones that have waited for it.
func (c *carrying) give(r *carried, judged *Judged) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.judged = judged
	for c.refused == nil && c.given < len(c.rows) && c.rows[c.given].judged != nil {
		c.refused = c.done(c.rows[c.given].judged)
		c.given++
	}
	return c.refused
}

// giveRest gives done the judged rows behind the first one that is not, after an error of the host.
func (c *carrying) giveRest() {
	for _, r := range c.rows[c.given:] {
		if r.judged != nil && c.refused == nil {
			c.refused = c.done(r.judged)
		}
	}
}

// judge judges a row, and computes it first if it has no runs.
func (c *carrying) judge(ctx context.Context, job *Job, number int) *Judged {
	if !job.computes() {
		return job.Judge(ctx, c.Out)
	}
	c.Meter.StartPart(number, job.Row.ID, c.weight(job))
	began := time.Now()
	job.unfinished = c.Unfinished
	judged := job.Judge(ctx, c.Out)
	judged.Seconds = time.Since(began).Seconds()
	c.Meter.Finish(number, ctx.Err() == nil)
	return judged
}

// computes reports whether a row has figures without runs.
func (j *Job) computes() bool { return j.Err == nil && j.Plan == nil }
