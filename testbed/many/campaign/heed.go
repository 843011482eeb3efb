package campaign

import (
	"context"

	"github.com/rocelab/rocelab/internal/crash"
)

// Heed calls f, which ignores contexts, such as the making of a large fabric's plan. If ctx ends first, it returns the
// error of ctx at once; f then goes on by itself, and its result is ignored.
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
