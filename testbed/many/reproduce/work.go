package reproduce

import (
	"context"
	"fmt"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Work is several rows that are carried out together.
type Work struct {
	List []*Job
	// Out is the folder of results: a folder of a sweep's results for each row.
	Out string
	// Jobs is the number of concurrent runs, of any rows. Range: from 1; less counts as 1.
	Jobs int
	// Room bounds their memory.
	Room *campaign.Room
	// Meter may be nil. Say gets what a person must know.
	Meter *campaign.Meter
	Say   func(text string)
	// Seconds is the time of a job's runs together, one after the other, NaN or 0 if that is not known; nil if it never
	// is.
	Seconds func(*Job) float64
	// Unfinished keeps the figures of rows that compute until the work is done; nil keeps none.
	Unfinished *campaign.Unfinished
}

// Left counts the runs that are not done yet, with their time together, one after the other, as far as that is known:
// for Unknown rows it is not.
type Left struct {
	Runs    int
	Time    time.Duration
	Unknown []*Job
}

// Text is the time of the work with so many runs at a time.
func (l *Left) Text(jobs int) string {
	jobs = max(1, min(jobs, l.Runs))
	return fmt.Sprintf("%v of processor time, %v with %d at a time", terminal.Rounded(l.Time.Round(time.Second)),
		terminal.Rounded((l.Time / time.Duration(jobs)).Round(time.Second)), jobs)
}

// Left works out what there is to do. A run that several rows have counts once.
func (w *Work) Left() (left Left, err error) {
	counted := map[made]bool{}
	for _, job := range w.List {
		if job.Err != nil {
			continue
		}
		missing, err := job.missing(w.Out)
		if err != nil {
			return left, exit.Host(err)
		}
		runs := 0
		for _, id := range missing {
			if one := (made{job.store(w.Out).Dir(), id}); !counted[one] {
				counted[one] = true
				runs++
			}
		}
		left.Runs += runs
		seconds, known := w.seconds(job)
		switch {
		case runs == 0 && job.Plan != nil:
		case known:
			left.Time += unit.Whole[time.Duration](seconds * job.share(runs) * 1e9)
		default:
			left.Unknown = append(left.Unknown, job)
		}
	}
	return left, nil
}

// made is a run by its folder of results.
type made struct {
	dir string
	id  campaign.ID
}

// share returns the part of a job's runs that the given number is.
func (j *Job) share(runs int) float64 {
	if j.Plan == nil {
		return 1
	}
	return float64(runs) / float64(j.distinct())
}

// distinct counts the runs of a job, equal ones once.
func (j *Job) distinct() int {
	seen := map[campaign.ID]bool{}
	for i := range j.Plan.Runs {
		seen[j.Plan.Runs[i].ID] = true
	}
	return len(seen)
}

func (w *Work) seconds(job *Job) (seconds float64, known bool) {
	if w.Seconds == nil {
		return 0, false
	}
	seconds = w.Seconds(job)
	return seconds, seconds > 0
}

// weight returns the weight of a job's run in all the work, for the meter: its seconds, or a few if they are not known.
func (w *Work) weight(job *Job) float64 {
	seconds, known := w.seconds(job)
	if !known {
		return 2
	}
	if job.Plan != nil {
		seconds /= float64(job.distinct())
	}
	return max(seconds, 0.01)
}

// Sample makes a few of a job's runs for a short time each, keeps nothing, and returns the estimated time of all of
// them one after the other.
func (w *Work) Sample(ctx context.Context, job *Job) (time.Duration, error) {
	runner := job.runner(job.store(w.Out))
	estimate, err := runner.Sample(ctx, job.runs())
	if err != nil {
		return 0, err
	}
	return estimate.Wall * time.Duration(job.distinct()), nil
}
