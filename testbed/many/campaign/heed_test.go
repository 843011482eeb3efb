package campaign

import (
	"context"
	"errors"
	"testing"
)

// What does not look at a context is left behind when that ends, and not begun when it has ended; else its error
// counts. Tier: -short. Red: with the wait for f alone, when the first case never ends.
func TestHeed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan struct{})
	defer close(never)
	err := Heed(ctx, func() error {
		cancel()
		<-never
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := Heed(ctx, func() error { panic("begun") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	own := errors.New("own")
	if err := Heed(t.Context(), func() error { return own }); !errors.Is(err, own) {
		t.Error(err)
	}
}
