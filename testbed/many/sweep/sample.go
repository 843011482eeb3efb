package sweep

import (
	"context"
	"errors"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/model"
)

// Sample carries out a few of the runs, spread over all, for a short time each, and keeps
// nothing.
func (r *Runner) Sample(ctx context.Context, runs []*Run) (*campaign.Estimate, error) {
	s := campaign.Sample{N: len(runs), Files: true, Series: r.Series}
	s.Run = func(ctx context.Context, i int, started func(*plan.Plan) func(model.Progress)) (out *result.Outcome,
		err error) {
		planned, _, err := r.make(ctx, runs[i])
		if err != nil {
			return nil, err
		}
		bench, err := r.Bench(0)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, bench.Close()) }()
		if bench.Complete != nil {
			if err := bench.Complete(planned); err != nil {
				return nil, err
			}
		}
		return bench.Run(ctx, experiment.Task{Plan: planned, Number: 1, Total: 1, Progress: started(planned)})
	}
	return s.Do(ctx)
}
