package veth

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Who waits for a run is woken by a file that comes, and by nothing else soon.
func TestChangesOfAFolder(t *testing.T) {
	dir := t.TempDir()
	c := watch(dir)
	defer c.close()
	if c.queue == nil {
		t.Skip("the kernel reports no changes")
	}
	written := make(chan error, 1)
	go func() {
		part := filepath.Join(dir, "part")
		written <- errors.Join(os.WriteFile(part, nil, 0o600), os.Rename(part, filepath.Join(dir, "run.json")))
	}()
	for _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil; _, err = os.Stat(filepath.Join(dir, "run.json")) {
		if err := c.wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.wait(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := (&changes{}).wait(ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Waiting ends with the context, and with the testbed.
func TestAwaitEnds(t *testing.T) {
	s := saved(t, "x")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Await(ended, "x"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- os.Rename(s.Dir(), s.Dir()+".gone") }()
	if _, err := Await(t.Context(), "x"); !errors.As(err, new(*NotFoundError)) {
		t.Error(err)
	}
	if err := <-gone; err != nil {
		t.Error(err)
	}
}
