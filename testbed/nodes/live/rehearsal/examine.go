//go:build linux && !mem

package rehearsal

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/nodes/internal/interference"
)

// Stage is a testbed for rehearsals of plans.
type Stage struct {
	// Testbed is the testbed's name. Ready brings it up for a plan; Run runs the plan there without a clock, with silent
	// edges; Close takes the testbed away.
	Testbed string
	Ready   func(context.Context, *plan.Plan) error
	Run     func(context.Context, *plan.Plan) (*result.Outcome, error)
	Close   func() error
}

// Examine measures a host with plans: for a time of sleeps how late a thread wakes, and then each plan on a stage, for
// most at most. An interruption is the error of ctx.
func Examine(ctx context.Context, plans []*plan.Plan, sleeps, most time.Duration,
	open func() (*Stage, error)) (*Advice, error) {
	advice := &Advice{CPUs: runtime.NumCPU()}
	before := interference.Read()
	late, err := lateness(ctx, sleeps)
	if err != nil {
		return nil, err
	}
	stage, err := open()
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		v, err := stage.rehearse(ctx, silent(p), most)
		if err != nil {
			return nil, errors.Join(err, exit.Host(stage.Close()))
		}
		advice.Variants = append(advice.Variants, v)
	}
	if err := stage.Close(); err != nil {
		return nil, exit.Host(err)
	}
	advice.Conclude(plans, &late, interference.Read().Since(before))
	return advice, nil
}

// lateness measures wake-ups on a thread that ends with them.
func lateness(ctx context.Context, span time.Duration) (late record.Lateness, err error) {
	done := make(chan struct{})
	go func() {
		defer crash.Guard()()
		defer close(done)
		late, err = wakeups(ctx, span)
	}()
	<-done
	return late, err
}

// rehearse runs a plan without a clock, and watches how fast it is.
func (s *Stage) rehearse(ctx context.Context, p *plan.Plan, most time.Duration) (v Variant, err error) {
	if err := s.Ready(ctx, p); err != nil {
		return v, err
	}
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	watching, stop := context.WithCancel(ctx)
	var samples []sample
	var unseen error
	watched := make(chan struct{})
	go func() {
		defer crash.Guard()()
		defer close(watched)
		samples, unseen = watch(watching, s.Testbed)
	}()
	out, err := s.Run(limited, p)
	stop()
	<-watched
	switch {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case err != nil:
		return v, err
	case unseen != nil:
		return v, exit.Host(unseen)
	}
	busiest := busiestOf(samples)
	if out.End > 0 { // no stretch took longer than the windows of the whole run, which may be over before it is seen
		whole := float64(out.Wall) * float64(unit.Nanosecond) / float64(min(stretch, out.End.Sub(0)))
		if busiest.Factor > whole || len(samples) < 3 {
			busiest.Factor = whole
		}
	}
	return Variant{
		Variant:  result.VariantOf(p),
		ModelUS:  out.End.Sub(0).Microseconds(),
		WallUS:   float64(out.Wall) / float64(time.Microsecond),
		Slowdown: busiest.Factor,
		AtUS:     busiest.At.Sub(0).Microseconds(),
		Partial:  out.Interrupted,
	}, nil
}
