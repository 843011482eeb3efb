package judge

import (
	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/mem"
)

// same are the criteria of a run that is another, carried out by other means.
func same(want, got *run) (all criteria) {
	all.want(got.Trace == want.Trace, "trace %016x instead of %016x", got.Trace, want.Trace)
	all.want(got.End == want.End, "end at %v instead of %v", got.End, want.End)
	all.want(got.Summary.Decisions == want.Summary.Decisions, "%d decisions instead of %d",
		got.Summary.Decisions, want.Summary.Decisions)
	return all
}

// again runs the scenario busy by other means.
func (t *trial) again(options mem.Options, windows enginetest.Windows) Row {
	want := t.recorded().run
	c := same(want, t.inMemory(enginetest.With(t.ctx, windows), t.plan(busy, 1), t.algorithm(), options))
	return c.row(noDifference, "trace %016x", want.Trace)
}

func (t *trial) workers() Row {
	return t.again(mem.Options{Workers: 2}, enginetest.Windows{AllWorkers: true})
}

func (t *trial) windows() Row {
	seventh := t.plan(busy, 1).Lookahead() / 7
	return t.again(mem.Options{Codec: true}, enginetest.Windows{Cut: func(unit.Time) unit.Duration { return seventh }})
}

func (t *trial) veth() Row {
	if t.Veth == nil {
		return Row{Result: Skipped, Remark: t.NoVeth}
	}
	want := t.recorded().run
	c := same(want, t.onVeth(t.plan(busy, 1)))
	return c.row(noDifference, "trace %016x", want.Trace)
}
