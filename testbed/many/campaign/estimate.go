package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// Estimate is the cost of runs, guessed from a sample on this host.
type Estimate struct {
	// Sampled is the number of runs in the sample, Cut the number of them that were stopped early and extrapolated from
	// the part that was done.
	Sampled, Cut int
	// Wall is the mean time of a run by the clock on the wall, CPU its mean processor time, of all threads; 0 if the
	// system does not count it.
	Wall, CPU time.Duration
	// Memory is the most that one run took, Disk the mean size of a run's files, 0 if it has none. Unit: bytes.
	Memory uint64
	Disk   int64
}

// The bounds of a sample.
const (
	mostSampled = 3
	sampleTime  = 5 * time.Second // of each run
)

// Text returns the estimate for the given runs, jobs at a time.
func (e *Estimate) Text(runs, jobs int) string {
	jobs = max(1, min(jobs, runs))
	text := fmt.Sprintf("estimate from %s: %v a run, %v for all with %d at a time, %s of memory a run",
		unit.Count(e.Sampled, "run"), terminal.Rounded(e.Wall),
		terminal.Rounded(e.Wall*time.Duration(runs)/time.Duration(jobs)), jobs,
		unit.InBytes.Text(float64(e.Memory)))
	if e.CPU > 0 {
		text += fmt.Sprintf(", %v of processor time in all", terminal.Rounded(e.CPU*time.Duration(runs)))
	}
	if e.Disk > 0 {
		text += fmt.Sprintf(", %s on disk in all", unit.InBytes.Text(float64(e.Disk)*float64(runs)))
	}
	return text
}

// Sample is a few of N runs, spread over all, each carried out for a short time. Nothing of them is kept.
type Sample struct {
	N int
	// Run makes the plan of a run, counted from 0, and hands it to started, from when on its time counts; it returns the
	// outcome. The function that started returns takes the run's progress.
	Run func(ctx context.Context, i int, started func(*plan.Plan) func(model.Progress)) (*result.Outcome, error)
	// Files measures the size of a run's files; Series includes its time series.
	Files, Series bool
}

// Do carries the sample out.
func (s *Sample) Do(ctx context.Context) (*Estimate, error) {
	e := &Estimate{}
	count := min(mostSampled, s.N)
	var wall, processor, disk float64
	for i := range count {
		one := sampled{}
		out, err := one.carry(ctx, func(ctx context.Context) (*result.Outcome, error) {
			return s.Run(ctx, (2*i+1)*s.N/(2*count), one.start)
		})
		if err != nil {
			return nil, err
		}
		wall, processor = wall+one.wall, processor+one.processor
		e.Sampled++
		e.Memory = max(e.Memory, one.memory)
		if out.Interrupted {
			e.Cut++
		}
		if s.Files && ctx.Err() == nil {
			size, err := sizeOf(out, s.Series)
			if err != nil {
				return nil, err
			}
			disk += float64(size) / one.done
		}
	}
	if count > 0 {
		e.Wall = unit.Whole[time.Duration](wall / float64(count) * 1e9)
		e.CPU = unit.Whole[time.Duration](processor / float64(count) * 1e9)
		e.Disk = unit.Whole[int64](disk / float64(count))
	}
	return e, ctx.Err()
}

// sampled is a run of a sample.
type sampled struct {
	// wall and processor are the times of the whole run in seconds, done the part of it that was carried out, above 0.
	wall, processor, done float64
	memory                uint64
	// share is the part of the run that is done, 0 to 1; began and spent are the wall clock and the processor time at its
	// start; peak returns the most memory since then, in bytes; enough ends the run.
	share  float64
	began  time.Time
	spent  time.Duration
	peak   func() uint64
	enough context.CancelFunc
}

// start begins to count.
func (s *sampled) start(*plan.Plan) func(model.Progress) {
	s.peak, s.began, s.spent = Peak(), time.Now(), ProcessorTime()
	time.AfterFunc(sampleTime, s.enough)
	return func(p model.Progress) {
		if now, known := Share(p); known {
			s.share = now
		}
	}
}

// carry carries the run out, and extrapolates from its share if it was stopped.
func (s *sampled) carry(ctx context.Context,
	run func(context.Context) (*result.Outcome, error)) (*result.Outcome, error) {
	ctx, s.enough = context.WithCancel(ctx)
	defer s.enough()
	out, err := run(ctx)
	if s.peak != nil { // it began
		s.wall, s.processor = time.Since(s.began).Seconds(), (ProcessorTime() - s.spent).Seconds()
		s.memory = s.peak()
	}
	if err != nil {
		return nil, err
	}
	s.done = 1
	if out.Interrupted && s.share > 0 {
		s.done = s.share
	}
	s.wall, s.processor = s.wall/s.done, s.processor/s.done
	return out, nil
}

// sizeOf is the size of the files that a run leaves in its folder, without a page. Unit: bytes.
func sizeOf(out *result.Outcome, series bool) (size int64, err error) {
	dir, err := os.MkdirTemp("", "rocelab-sample-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	folder, err := result.Create(filepath.Join(dir, "run"))
	if err != nil {
		return 0, err
	}
	folder.WithoutSync()
	if !series {
		folder.WithoutSeries()
	}
	summary := result.Summarise(out)
	if err := folder.WriteRun("", out, summary, result.Judge(out, summary)); err != nil {
		return 0, errors.Join(err, folder.Discard())
	}
	err = fs.WalkDir(folder.Files(), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, errors.Join(err, folder.Discard())
}
