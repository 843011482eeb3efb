package sweep

import (
	"context"
	"errors"
	"time"

	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/testbed/experiment"
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
	e := &Estimate{}
	count := min(mostSampled, len(runs))
	total := 0.0
	for i := range count {
		run := runs[(2*i+1)*len(runs)/(2*count)]
		seconds, memory, cut, err := r.sample(ctx, run)
		if err != nil {
			return nil, err
		}
		total += seconds
		e.Sampled++
		e.Memory = max(e.Memory, memory)
		if cut {
			e.Cut++
		}
	}
	if count > 0 {
		e.Wall = unit.Whole[time.Duration](total / float64(count) * 1e9)
	}
	return e, ctx.Err()
}

// sample carries out a run, and reckons from its share where it takes too long.
func (r *Runner) sample(ctx context.Context, run *Run) (seconds float64, memory uint64, cut bool, err error) {
	planned, _, err := r.make(run)
	if err != nil {
		return 0, 0, false, err
	}
	bench, err := r.Bench(0)
	if err != nil {
		return 0, 0, false, err
	}
	defer func() { err = errors.Join(err, bench.Close()) }()
	if bench.Complete != nil {
		if err := bench.Complete(planned); err != nil {
			return 0, 0, false, err
		}
	}
	ctx, stop := context.WithTimeout(ctx, sampleTime)
	defer stop()
	share := 0.0
	peak, started := Peak(), time.Now()
	out, err := bench.Run(ctx, experiment.Task{
		Plan:   planned,
		Number: 1,
		Total:  1,
		Progress: func(p model.Progress) {
			if now, known := experiment.Share(p); known {
				share = now
			}
		},
	})
	seconds, memory = time.Since(started).Seconds(), peak()
	if err != nil {
		return 0, 0, false, err
	}
	if out.Interrupted && share > 0 {
		return seconds / share, memory, true, nil
	}
	return seconds, memory, out.Interrupted, nil
}
