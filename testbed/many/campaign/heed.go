package campaign

import (
	"context"

	"github.com/rocelab/rocelab/internal/crash"
)

// Heed calls f, which does not look at a context, such as what makes the plan of a large fabric. If ctx ends first, it
// returns the error of ctx at once; f goes on by itself then, and nobody may care for what it does.
func Heed(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		defer crash.Guard()()
		done <- f()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
