package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// Pieces begin in their order, but the ones that another process does come last; an end lets no other begin, and of
// several errors the first piece's is returned. Red if a piece that was put off is dropped.
func TestQueue(t *testing.T) {
	for name, c := range map[string]struct {
		elsewhere []int
		ends, bad int // piece at which the work ends, and that fails; -1 for none
		done      []int
	}{
		"in order":  {nil, -1, -1, []int{0, 1, 2, 3, 4}},
		"elsewhere": {[]int{0, 3}, -1, -1, []int{1, 2, 4, 0, 3}},
		"over":      {[]int{0}, 2, -1, []int{1, 2}},
		"failed":    {nil, -1, 1, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var done []int
			q := Queue{
				Pieces:    5,
				Elsewhere: func(piece int) bool { return slices.Contains(c.elsewhere, piece) },
				Do: func(ctx context.Context, piece, job int) (bool, error) {
					done = append(done, piece)
					if piece == c.bad {
						return false, fmt.Errorf("piece %d", piece)
					}
					return piece == c.ends, ctx.Err()
				},
			}
			err := q.Run(t.Context())
			if !slices.Equal(done, c.done) || (err != nil) != (c.bad >= 0) {
				t.Errorf("%v was done, %v", done, err)
			}
		})
	}
	if err := (&Queue{Do: func(context.Context, int, int) (bool, error) { return false, errors.New("it began") }}).Run(
		t.Context()); err != nil {
		t.Errorf("of no piece: %v", err)
	}
}

// A job that finds out whether a piece is done elsewhere does not hold the others up, and begins nothing once the work
// is over.
func TestJobsDoNotWaitForElsewhere(t *testing.T) {
	done := make(chan struct{})
	var begun atomic.Int64
	q := Queue{
		Jobs:   2,
		Pieces: 3,
		Elsewhere: func(piece int) bool {
			if piece > 0 {
				return false
			}
			select {
			case <-done:
			case <-time.After(30 * time.Second):
				t.Error("piece 1 waits for the look at piece 0")
			}
			return false
		},
		Do: func(context.Context, int, int) (bool, error) {
			begun.Add(1)
			return true, nil
		},
	}
	go func() {
		for over := false; !over; time.Sleep(time.Millisecond) {
			q.mu.Lock()
			over = q.over
			q.mu.Unlock()
		}
		close(done)
	}()
	if err := q.Run(t.Context()); err != nil || begun.Load() != 1 {
		t.Errorf("%d pieces were done, %v, want 1: the work is over then", begun.Load(), err)
	}
}
