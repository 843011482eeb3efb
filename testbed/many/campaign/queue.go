package campaign

import (
	"context"
	"sync"

	"github.com/rocelab/rocelab/internal/crash"
)

// Queue is pieces of work that concurrent jobs take in their order: the runs of a Matrix, of a sweep, of the rows of
// papers. It is run once.
type Queue struct {
	// Jobs is the number of concurrent jobs. Range: from 1; less counts as 1. The first job works in the caller's
	// goroutine, so that a thread that is bound to a processor stays so.
	Jobs int
	// Pieces is the number of pieces. Range: from 0.
	Pieces int
	// Elsewhere reports whether another process seems to do a piece, which then comes last; nil for never. It may read a
	// disk: jobs call it beside each other.
	Elsewhere func(piece int) bool
	// Do does a piece, counted from 0 as job is. After it reports that the work is over, no piece begins; after an error
	// none begins either, and ctx is cancelled for the ones under way.
	Do func(ctx context.Context, piece, job int) (over bool, err error)

	mu sync.Mutex
	// next is the next piece, later are pieces that were put off; over is set if none begins any more.
	next  int
	later []int
	over  bool
	// err is the error of the piece failed, the first of the ones with an error.
	failed int
	err    error
}

// Run does the pieces, and returns of several errors the first piece's.
func (q *Queue) Run(ctx context.Context) error {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	var others sync.WaitGroup
	for job := 1; job < min(q.Jobs, q.Pieces); job++ {
		others.Go(func() {
			defer crash.Guard()()
			q.job(ctx, job, giveUp)
		})
	}
	q.job(ctx, 0, giveUp)
	others.Wait()
	return q.err
}

// take returns the next piece; false if there is none.
func (q *Queue) take() (piece int, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.over && q.next < q.Pieces {
		piece = q.next
		q.next++
		if !q.elsewhere(piece) && !q.over {
			return piece, true
		}
		q.later = append(q.later, piece)
	}
	if q.over || len(q.later) == 0 {
		return 0, false
	}
	piece, q.later = q.later[0], q.later[1:]
	return piece, true
}

// elsewhere is Elsewhere without the lock, which the caller has.
func (q *Queue) elsewhere(piece int) bool {
	if q.Elsewhere == nil {
		return false
	}
	q.mu.Unlock()
	defer q.mu.Lock()
	return q.Elsewhere(piece)
}

// job does one piece after the other until none is left.
func (q *Queue) job(ctx context.Context, job int, giveUp func()) {
	for piece, more := q.take(); more; piece, more = q.take() {
		over, err := q.Do(ctx, piece, job)
		q.mu.Lock()
		q.over = q.over || over || err != nil
		if err != nil && (q.err == nil || piece < q.failed) {
			q.failed, q.err = piece, err
			giveUp()
		}
		q.mu.Unlock()
	}
}
