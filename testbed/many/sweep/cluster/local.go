package cluster

import (
	"context"
	"errors"

	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Local runs the tasks on this machine, atOnce at a time, and returns the exit code of all: the first that is not 0, in
// the order of the tasks. task runs one.
func Local(ctx context.Context, tasks []int, atOnce int, task func(context.Context, int) (int, error)) (int, error) {
	codes, faults := make([]int, len(tasks)), make([]error, len(tasks))
	queue := campaign.Queue{Jobs: atOnce, Pieces: len(tasks), Do: func(ctx context.Context, i, _ int) (bool, error) {
		if codes[i] = exitTerminated; ctx.Err() == nil {
			codes[i], faults[i] = task(ctx, tasks[i])
		}
		return false, nil
	}}
	faults = append(faults, queue.Run(ctx))
	for _, code := range codes {
		if code != 0 {
			return code, errors.Join(faults...)
		}
	}
	return 0, errors.Join(faults...)
}
