package campaign

import (
	"context"
	"sync"

	"github.com/rocelab/rocelab/internal/crash"
)

// Queue is pieces of work that concurrent jobs take in their order: the runs of a Matrix, of a sweep, of the rows of
// papers.
type Queue struct {
	// Jobs is the number of concurrent jobs. Range: from 1; less counts as 1. The first job works in the caller's
	// goroutine, so that a thread that is bound to a processor stays so.
	Jobs int
	// Pieces is the number of pieces. Range: from 0.
	Pieces int
	// Elsewhere reports whether another process seems to do a piece, which then comes last; nil for never.
	Elsewhere func(piece int) bool
	// Do does a piece, counted from 0 as job is. After it reports that the work is over, no piece begins; after an error
	// none begins either, and ctx is cancelled for the ones under way.
	Do func(ctx context.Context, piece, job int) (over bool, err error)
}

// Run does the pieces, and returns of several errors the first piece's.
func (q *Queue) Run(ctx context.Context) error {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	u := &underWay{Queue: q, giveUp: giveUp}
	var others sync.WaitGroup
	for job := 1; job < min(q.Jobs, q.Pieces); job++ {
		others.Go(func() {
			defer crash.Guard()()
			u.job(ctx, job)
		})
	}
	u.job(ctx, 0)
	others.Wait()
	return u.err
}

// underWay is a queue under way.
type underWay struct {
	*Queue
	giveUp func()

	mu sync.Mutex
	// next is the next piece, later are pieces that were put off; over is set if none begins any more.
	next  int
	later []int
	over  bool
	// err is the error of the piece failed, the first of the ones with an error.
	failed int
	err    error
}

// take returns the next piece; false if there is none.
func (u *underWay) take() (piece int, more bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for !u.over && u.next < u.Pieces {
		piece = u.next
		u.next++
		if u.Elsewhere == nil || !u.Elsewhere(piece) {
			return piece, true
		}
		u.later = append(u.later, piece)
	}
	if u.over || len(u.later) == 0 {
		return 0, false
	}
	piece, u.later = u.later[0], u.later[1:]
	return piece, true
}

// job does one piece after the other until none is left.
func (u *underWay) job(ctx context.Context, job int) {
	for piece, more := u.take(); more; piece, more = u.take() {
		over, err := u.Do(ctx, piece, job)
		u.mu.Lock()
		u.over = u.over || over || err != nil
		if err != nil && (u.err == nil || piece < u.failed) {
			u.failed, u.err = piece, err
		}
		if err != nil {
			u.giveUp()
		}
		u.mu.Unlock()
	}
}
