package container

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
)

// instance is a container that this process started, with either runtime.
type instance struct {
	place   place
	process *os.Process
	wait    func() (Status, error) // waits once, then answers the same

	removing sync.Mutex
	removed  bool
}

var _ Container = (*instance)(nil)

func newInstance(at place, p *os.Process) *instance {
	return &instance{place: at, process: p, wait: sync.OnceValues(func() (Status, error) { return reap(p) })}
}

func (c *instance) Pid() int              { return c.process.Pid }
func (c *instance) Wait() (Status, error) { return c.wait() }

func (c *instance) Remove(ctx context.Context) error {
	c.removing.Lock()
	defer c.removing.Unlock()
	if c.removed {
		return nil
	}
	if err := c.end(ctx); err != nil {
		return fmt.Errorf("remove container %s: %w", c.place.id, err)
	}
	if err := c.place.remove(ctx); err != nil {
		return fmt.Errorf("remove container %s: %w", c.place.id, err)
	}
	c.removed = true
	return nil
}

// end kills the program, which ends all others in its PID namespace, and reaps it.
func (c *instance) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dying)
	defer cancel()
	if err := c.process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	reaped := make(chan struct{})
	go func() {
		defer close(reaped)
		_, _ = c.wait() // of no interest here; Wait returns it
	}()
	select {
	case <-reaped:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("its process %d was killed but has not ended: %w", c.process.Pid, ctx.Err())
	}
}

// reap waits for a child process and returns how it ended.
func reap(p *os.Process) (Status, error) {
	state, err := p.Wait()
	if err != nil {
		return Status{}, err
	}
	if w := state.Sys().(syscall.WaitStatus); w.Signaled() {
		return Status{Code: -1, Signal: w.Signal()}, nil
	}
	return Status{Code: state.ExitCode()}, nil
}
