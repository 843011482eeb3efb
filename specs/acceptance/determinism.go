package acceptance

import (
	. "github.com/onsi/ginkgo/v2"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/specs/lab"
	"github.com/rocelab/rocelab/testbed/mem"
)

// eventful draws from every stream of chance: marks, noise of clocks, losses.
const eventful = `
name: eventful
topology: {kind: star, hosts: 9}
switch: {ecn: {kmin: 50KB, kmax: 200KB}}
traffic: [{kind: incast, size: 300KB}]
faults: [{link: h8-s0, loss: 0.001}]
run: {limit: 500ms}
` + wrongClocks

// same are the criteria of a run that is another, carried out by other means.
func same(want, got *lab.Run) (c lab.Criteria) {
	c.Want(got.Trace == want.Trace, "trace %016x instead of %016x", got.Trace, want.Trace)
	c.Want(got.End == want.End, "end at %v instead of %v", got.End, want.End)
	c.Want(got.Summary.Decisions == want.Summary.Decisions, "%d decisions instead of %d", got.Summary.Decisions, want.Summary.Decisions)
	return c
}

func (t *trial) determinism() {
	// reference is the run that the others must equal, made once.
	var reference *lab.Run
	first := func(ctx SpecContext) *lab.Run {
		if reference == nil {
			reference = t.inMemory(ctx, t.plan(eventful), t.subject.Main, mem.Options{Workers: 1})
		}
		return reference
	}
	again := func(ctx SpecContext, form Form, o mem.Options, so enginetest.Windows) {
		want := first(ctx)
		got := t.inMemory(enginetest.With(ctx, so), t.plan(eventful), form, o)
		figure("trace %016x", got.Trace)
		insist(same(want, got))
	}

	It("does the same again", Label("determinism"), func(ctx SpecContext) {
		again(ctx, t.subject.Main, mem.Options{Workers: 1}, enginetest.Windows{})
	})
	It("does the same with two workers", Label("determinism"), func(ctx SpecContext) {
		again(ctx, t.subject.Main, mem.Options{Workers: 2}, enginetest.Windows{AllWorkers: true})
	})
	It("does the same when windows are cut otherwise and every frame is encoded", Label("determinism"), func(ctx SpecContext) {
		seventh := t.plan(eventful).Lookahead() / 7
		so := enginetest.Windows{Cut: func(unit.Time) unit.Duration { return seventh }}
		again(ctx, t.subject.Main, mem.Options{Workers: 1, Codec: true}, so)
	})
	It("does the same built in and as a process", Label("determinism"), func(ctx SpecContext) {
		if t.subject.Other == nil {
			Skip(t.subject.NoOther)
		}
		again(ctx, *t.subject.Other, mem.Options{Workers: 1}, enginetest.Windows{})
	})
}

func (t *trial) veth() {
	It("does on containers and veth pairs what it does in memory", Label("veth"), func(ctx SpecContext) {
		if t.subject.Veth == nil {
			Skip(t.subject.NoVeth)
		}
		want := t.inMemory(ctx, t.plan(eventful), t.subject.Main, mem.Options{Workers: 1})
		got := t.onVeth(ctx, t.plan(eventful))
		figure("trace %016x", got.Trace)
		insist(same(want, got))
	})
}
