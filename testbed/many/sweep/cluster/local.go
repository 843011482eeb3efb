package cluster

import (
	"context"
	"errors"
	"sync"
)

// Local runs the tasks on this machine, atOnce at a time, and returns the exit code of all: the first that is not 0, in
// the order of the tasks. task runs one.
func Local(ctx context.Context, tasks []int, atOnce int, task func(context.Context, int) (int, error)) (int, error) {
	codes, faults := make([]int, len(tasks)), make([]error, len(tasks))
	room := make(chan struct{}, max(1, atOnce))
	var all sync.WaitGroup
	for i, shard := range tasks {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			codes[i] = exitTerminated
			continue
		}
		all.Go(func() {
			defer func() { <-room }()
			codes[i], faults[i] = task(ctx, shard)
		})
	}
	all.Wait()
	for _, code := range codes {
		if code != 0 {
			return code, errors.Join(faults...)
		}
	}
	return 0, errors.Join(faults...)
}
