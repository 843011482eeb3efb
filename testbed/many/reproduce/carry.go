package reproduce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// Do carries all rows out, and gives each to done in the order of the list. It ends early when
// ctx is cancelled, without an error: rows whose runs are not all done say so. An error is one
// of the host, or done's.
func (w *Work) Do(ctx context.Context, done func(*Judged) error) (err error) {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	c := &carrying{Work: w, done: done, giveUp: giveUp}
	defer func() {
		if ended := c.end(); err == nil {
			err = ended
		}
	}()
	if err := c.begin(); err != nil {
		return err
	}
	defer w.Meter.End()
	queue := campaign.Queue{Jobs: w.Jobs, Pieces: len(c.pieces), Elsewhere: c.elsewhere, Do: c.do}
	if err := queue.Run(ctx); err != nil {
		return err
	}
	return c.err
}

// carrying is work under way.
type carrying struct {
	*Work
	done   func(*Judged) error
	giveUp func()
	rows   []*carried
	pieces []*piece

	mu sync.Mutex
	// given is the number of rows that done has, or that have failed; err is the first error, or done's if refused.
	given   int
	err     error
	refused bool
}

// carried is a job under way.
type carried struct {
	*Job
	// runner makes runs, nil if there is none to make. Left is the number of pieces that are not done.
	runner *sweep.Runner
	left   int
	// over is set once it is judged, or has failed: then judged is nil.
	over, failed bool
	judged       *Judged
}

// piece is a run, or a row that needs none: one that computes, or has all of its runs.
type piece struct {
	run *sweep.Run
	// rows are those with the run; the first makes it.
	rows []*carried
}

// begin lists the pieces, and opens the folders of the rows.
func (c *carrying) begin() error {
	of := map[made]*piece{}
	count, whole := 0, 0.0
	for _, job := range c.List {
		r := &carried{Job: job}
		job.unfinished = c.Unfinished
		c.rows = append(c.rows, r)
		own, err := c.piecesOf(r, of)
		if err != nil {
			return err
		}
		if r.left == 0 {
			c.pieces = append(c.pieces, &piece{rows: []*carried{r}})
			r.left = 1
		}
		if job.computes() {
			own = 1
		}
		count, whole = count+own, whole+float64(own)*c.weight(job)
	}
	c.Meter.ExpectWork(count, whole)
	return nil
}

// computes reports whether a row has figures without runs.
func (j *Job) computes() bool { return j.Err == nil && j.Plan == nil }

// piecesOf adds the pieces of a row with runs, and opens its folder. Own is the number of runs that the row makes, as it
// is the first that has them.
func (c *carrying) piecesOf(r *carried, of map[made]*piece) (own int, err error) {
	if r.Err != nil || r.Plan == nil {
		return 0, nil
	}
	store := r.store(c.Out)
	if err := r.write(store.Dir()); err != nil {
		return 0, exit.Host(err)
	}
	runner := r.Job.runner(store)
	runner.Room, runner.Say = c.Room, c.Say
	missing, err := runner.Missing(r.runs())
	for _, run := range missing {
		one := made{store.Dir(), run.ID}
		if of[one] == nil {
			of[one] = &piece{run: run}
			c.pieces = append(c.pieces, of[one])
			own++
		}
		of[one].rows = append(of[one].rows, r)
		r.left++
	}
	if err != nil || own == 0 {
		return 0, err
	}
	if err := runner.Begin(); err != nil {
		return 0, err
	}
	r.runner = runner
	return own, nil
}

// end closes the folders.
func (c *carrying) end() (err error) {
	for _, r := range c.rows {
		if r.runner != nil {
			err = errors.Join(err, r.runner.End())
		}
	}
	return err
}

func (c *carrying) elsewhere(i int) bool {
	p := c.pieces[i]
	return p.run != nil && p.rows[0].runner.Folder.Elsewhere(p.run.ID)
}

// do makes a run, unless the work has ended, and judges the rows of which it was the last.
func (c *carrying) do(ctx context.Context, i, job int) (over bool, err error) {
	p := c.pieces[i]
	first := p.rows[0]
	if p.run != nil && ctx.Err() == nil {
		title := fmt.Sprintf("%s, %s, seed %d", first.Row.ID, cmp.Or(p.run.Variant, first.name), p.run.Seed)
		progress := c.Meter.StartPart(job, title, c.weight(first.Job))
		row, _, err := first.runner.One(ctx, p.run, job, progress)
		c.Meter.Finish(job, row != nil)
		if err != nil {
			c.fail(first, err)
		}
	}
	for _, r := range p.rows {
		c.finish(ctx, r, job)
	}
	return false, nil
}

// fail ends the work with an error of a row.
func (c *carrying) fail(r *carried, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.failed = true
	if c.err == nil {
		c.err = err
		c.giveUp()
	}
}

// finish notes that a piece of a row is done. After the last the row is judged, and given to done in its turn.
func (c *carrying) finish(ctx context.Context, r *carried, job int) {
	c.mu.Lock()
	r.left--
	last, failed := r.left == 0, r.failed
	c.mu.Unlock()
	if !last {
		return
	}
	var judged *Judged
	if !failed {
		judged = c.judge(ctx, r.Job, job)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.judged, r.over = judged, true
	for ; c.given < len(c.rows) && c.rows[c.given].over; c.given++ {
		one := c.rows[c.given].judged
		if one == nil || c.refused {
			continue
		}
		if err := c.done(one); err != nil {
			c.err, c.refused = err, true
			c.giveUp()
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
	judged := job.Judge(ctx, c.Out)
	judged.Seconds = time.Since(began).Seconds()
	c.Meter.Finish(number, ctx.Err() == nil)
	return judged
}
