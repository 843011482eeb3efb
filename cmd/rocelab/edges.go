package main

import (
	"context"
	"errors"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/nodes/live/replay"
)

// defaultJournal is the default maximum size of the journal of an edge.
const defaultJournal = 4 * unit.GB

// journalValue is the value of --journal.
type journalValue struct{ most *unit.Bytes }

func (v *journalValue) Set(text string) error {
	most, err := unit.ParseBytes(text)
	if err == nil && most <= 0 {
		err = errors.New("allowed is above 0B; --no-folder keeps none")
	}
	*v.most = most
	return err
}

func (v *journalValue) String() string { return v.most.String() }
func (v *journalValue) Type() string   { return "size" }

// checkEdges refuses a plan that cannot run in virtual time: edges need what came in there.
func (f *runFlags) checkEdges(p *plan.Plan) error {
	switch {
	case f.on == "live":
		return nil
	case f.edges == "":
		return mem.CheckEdges(p)
	case len(p.Edges()) == 0:
		return errors.New("--edges: this scenario has no edges, so there are no frames to replay")
	}
	return nil
}

// replayed runs a plan in memory, with what came in at its edges in the run that --edges
// names.
func (f *runFlags) replayed(ctx context.Context, t experiment.Task, o mem.Options) (*result.Outcome, error) {
	if f.edges == "" {
		return f.runLogged(ctx, t, o)
	}
	source, err := replay.Open(f.edges, t.Plan)
	if err != nil {
		return nil, usage(err)
	}
	o.Edges = source.Reader
	out, err := f.runLogged(ctx, t, o)
	if err = errors.Join(err, host(source.Close())); err != nil {
		return nil, err
	}
	if !out.Interrupted || ctx.Err() == nil {
		remark, unlike := source.Remark(out.Trace)
		if remark != "" {
			out.Remarks = append(out.Remarks, remark)
		}
		out.Unlike = unlike
	}
	return out, nil
}

// recorded runs a plan on a testbed, and keeps what comes in at its edges in the run's
// folder.
func (f *runFlags) recorded(ctx context.Context, t experiment.Task, runner testbedRunner,
	run testbedRun) (*result.Outcome, error) {
	if f.on != "live" {
		return runner.run(ctx, t.Plan, run)
	}
	recording, err := replay.Record(t.Plan, t.HandOver, run.dilation, f.journal)
	if err != nil {
		return nil, host(err)
	}
	run.journals = recording.Journals
	out, err := runner.run(ctx, t.Plan, run)
	remarks, closed := recording.Close()
	if err = errors.Join(err, host(closed)); err != nil {
		return nil, err
	}
	out.Remarks = append(out.Remarks, remarks...)
	return out, nil
}
