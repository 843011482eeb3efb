package experiment

import (
	"strconv"
	"strings"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/model"
)

// watched is a run that writes lines of telemetry while it goes on.
type watched struct {
	to    *progressfile.Writer
	plan  *plan.Plan
	began time.Time
	// named is a line with just the run's names.
	named progressfile.Line
	// last is the last report of the run, and final is set if it covers all of it.
	last  progressfile.Line
	final bool
}

// watch returns what takes the progress of a run for the meter, which may be nil, and for the
// folder's telemetry; and what writes the line of its end.
func (s *session) watch(sub string, p *plan.Plan, meter func(model.Progress)) (func(model.Progress), *watched) {
	if s.live == nil {
		return meter, nil
	}
	w := &watched{
		to:    s.live,
		plan:  p,
		began: time.Now(),
		named: progressfile.Line{
			Run:       sub,
			Runner:    s.Runner,
			Scenario:  s.Name,
			Variant:   result.VariantOf(p),
			Algorithm: result.AlgorithmsOf(p),
			Seed:      p.Seed,
			Flows:     len(p.Flows),
			Limit:     int64(p.Limit),
			Runs:      s.total,
		},
	}
	return func(p model.Progress) {
		if meter != nil {
			meter(p)
		}
		w.hear(&p)
	}, w
}

// hear writes the line of a report. No two reports of a run come at once.
func (w *watched) hear(p *model.Progress) {
	w.last, w.final = w.line(p), p.Final
	if !p.Final {
		w.to.Offer(w.last)
	}
}

// end writes the last line of a run: what its nodes counted at the end, and the verdict.
func (w *watched) end(verdict *result.Verdict) {
	if w == nil || !w.final {
		return
	}
	w.last.Ended = strings.ToUpper(verdict.Status.String())
	w.to.Offer(w.last)
}

// The words of a verdict so far.
const (
	verdictSoFar    = "PASS"
	verdictLossless = "RED: frames of a lossless class were dropped for lack of headroom"
)

// line makes a line of a report.
func (w *watched) line(p *model.Progress) progressfile.Line {
	t, line := &p.Tally, w.named
	wall := time.Since(w.began)
	line.Wall = wall.Milliseconds()
	if share, known := campaign.Share(*p); known {
		line.Share = min(share, 1)
		line.Left = campaign.Rest(wall, share).Milliseconds()
	}
	line.Model, line.Until = int64(p.Now), int64(p.Until)
	line.Verdict = verdictSoFar
	line.Completed = int(t.Completed)
	line.SentBytes, line.DeliveredBytes = int64(t.Sent), int64(t.Delivered)
	line.Marks, line.CNPs, line.XOFFs, line.Drops = int64(t.Marks), int64(t.CNPs), int64(t.XOFFs), int64(t.Drops)
	line.QueueBytes = int64(t.Longest)
	if t.Lossless > 0 {
		line.Verdict = verdictLossless
	}
	for _, q := range t.Queues {
		node := w.plan.Node(plan.NodeID(q.Node))
		line.Queues = append(line.Queues, progressfile.Queue{
			Port:  node.Name + ":" + strconv.Itoa(q.Port),
			Bytes: int64(q.Bytes),
		})
	}
	return line
}
