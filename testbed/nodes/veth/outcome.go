package veth

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/switchd"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/nodes/daemon"
)

// ending returns when the run ended and why, which all participants say is over.
func (r *run) ending() (end unit.Time, why engine.Stop, err error) {
	if err := r.page.Check(); err != nil {
		return 0, 0, r.named(err)
	}
	end, why, over := r.page.Over()
	if !over {
		return 0, 0, r.named(errors.New("its daemons report that the run is over, but the shared page does not: " +
			"one of them writes nonsense"))
	}
	return end, why, nil
}

// progress returns the run's progress from the page, at a model time. The words of daemons may be anything.
func (r *run) progress(now unit.Time) model.Progress {
	hops, acked, tally := r.page.Told()
	total := r.plan.Payload()
	tally.Completed = min(tally.Completed, uint64(len(r.plan.Flows)))
	return model.Progress{
		Now:      min(max(0, now), r.setup.Schedule.Limit),
		Until:    r.plan.Until,
		Hops:     hops,
		Done:     min(acked, total),
		Total:    total,
		Tally:    tally,
		Dilation: r.options.Dilation,
		Lag:      r.page.Lag(),
	}
}

// reportProgress reports the progress of the run, if that is wanted.
func (r *run) reportProgress() {
	if r.options.Progress != nil {
		r.options.Progress(r.progress(r.now()))
	}
}

// reportEnd makes the last report of a run that is over.
func (r *run) reportEnd(end unit.Time) {
	if r.options.Progress != nil {
		p := r.progress(end)
		p.Final = true
		r.options.Progress(p)
	}
}

// assemble puts the results together.
func (r *run) assemble(end unit.Time, results []*daemon.Result) (*result.Outcome, error) {
	reports := make([]model.Report, len(r.Nodes))
	hops := uint64(0)
	for _, one := range results {
		for _, report := range one.Reports {
			reports[report.ID] = report
		}
		hops += one.Hops
	}
	out, err := model.Assemble(r.plan, end, slices.Values(reports))
	if err != nil {
		return nil, err
	}
	out.Hops = hops
	out.Deadlocks = r.deadlocks(results)
	return out, nil
}

// remarks reports frames on the links that were not the run's.
func (r *run) remarks(results []*daemon.Result) (list []string) {
	for i, one := range results {
		for k, count := range one.Ports {
			if p := &r.orders[i].Ports[k]; count.Foreign > 0 {
				list = append(list, fmt.Sprintf("%d foreign frames at %s:%d (link %s): something else sends on that link; they "+
					"reached no model",
					count.Foreign, r.orders[i].Nodes[p.Node].Name, p.Number, p.Link))
			}
		}
	}
	return list
}

// deadlocks feeds what the switches held back to the finder, sample by sample. A participant that
// has no sample of an instant holds back what it did at its last one.
func (r *run) deadlocks(results []*daemon.Result) []result.Deadlock {
	finder := model.NewDeadlocks(r.plan)
	blocked := make([][]switchd.Blocked, len(r.plan.Switches))
	taken := make([]int, len(results))
	for {
		now := unit.Never
		for i, one := range results {
			if taken[i] < len(one.Samples) {
				now = min(now, one.Samples[taken[i]].At)
			}
		}
		if now == unit.Never {
			return finder.Found
		}
		for i, one := range results {
			if taken[i] == len(one.Samples) || one.Samples[taken[i]].At > now {
				continue
			}
			for _, n := range one.Samples[taken[i]].Nodes {
				blocked[r.plan.Node(n.Node).Index] = n.Queues
			}
			taken[i]++
		}
		finder.Sample(now, blocked)
	}
}
