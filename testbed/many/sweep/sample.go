package sweep

import (
	"context"
	"errors"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/model"
)

// Estimate is what runs cost, as a sample tells. It is of this host, and a guess.
type Estimate struct {
	// Sampled is how many runs were looked at, Cut how many of them were not waited for and
	// reckoned from the part that was done.
	Sampled, Cut int
	// Wall is the mean time of a run by the clock on the wall, Memory the most that one took,
	// in bytes.
	Wall   time.Duration
	Memory uint64
}

// The bounds of a sample.
const (
	mostSampled = 3
	sampleTime  = 5 * time.Second // of each run
)

// Sample carries out a few of the runs, spread over all, for a short time each, and keeps
// nothing.
func (r *Runner) Sample(ctx context.Context, runs []*Run) (*Estimate, error) {
	return SampleOf(ctx, len(runs), func(ctx context.Context, i int, started func(*plan.Plan) experiment.Task) (
		out *result.Outcome, err error) {
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
		return bench.Run(ctx, started(planned))
	})
}

// SampleOf is Sample of n runs. It calls carry for the number of a run, from 0: carry makes the run's plan,
// hands it to started, from when on the time counts, and returns the outcome of the task.
func SampleOf(ctx context.Context, n int, carry func(ctx context.Context, i int,
	started func(*plan.Plan) experiment.Task) (*result.Outcome, error)) (*Estimate, error) {
	e := &Estimate{}
	count := min(mostSampled, n)
	total := 0.0
	for i := range count {
		s := sampled{}
		err := s.carry(ctx, func(ctx context.Context) (*result.Outcome, error) {
			return carry(ctx, (2*i+1)*n/(2*count), s.task)
		})
		if err != nil {
			return nil, err
		}
		total += s.seconds
		e.Sampled++
		e.Memory = max(e.Memory, s.memory)
		if s.cut {
			e.Cut++
		}
	}
	if count > 0 {
		e.Wall = unit.Whole[time.Duration](total / float64(count) * 1e9)
	}
	return e, ctx.Err()
}

// sampled is a run of a sample.
type sampled struct {
	seconds float64
	memory  uint64
	cut     bool
	// share is the part of the run that is done, 0 to 1; began is its start on the wall clock; peak returns the most
	// memory since then, in bytes; enough ends the run.
	share  float64
	began  time.Time
	peak   func() uint64
	enough context.CancelFunc
}

// task begins the run.
func (s *sampled) task(p *plan.Plan) experiment.Task {
	s.peak, s.began = Peak(), time.Now()
	time.AfterFunc(sampleTime, s.enough)
	return experiment.Task{
		Plan:   p,
		Number: 1,
		Total:  1,
		Progress: func(p model.Progress) {
			if now, known := experiment.Share(p); known {
				s.share = now
			}
		},
	}
}

// carry carries the run out, and reckons from its share if it takes too long.
func (s *sampled) carry(ctx context.Context, run func(context.Context) (*result.Outcome, error)) error {
	ctx, s.enough = context.WithCancel(ctx)
	defer s.enough()
	out, err := run(ctx)
	if s.peak != nil { // it began
		s.seconds, s.memory = time.Since(s.began).Seconds(), s.peak()
	}
	if err != nil {
		return err
	}
	s.cut = out.Interrupted
	if out.Interrupted && s.share > 0 {
		s.seconds /= s.share
	}
	return nil
}
