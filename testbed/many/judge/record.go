package judge

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/many/judge/surroundings"
	"github.com/rocelab/rocelab/testbed/mem"
)

// busy has four flows share a port that marks early, and a link that loses
// frames, on clocks that are wrong: all kinds of events come, and every stream of
// chance is drawn from.
const busy = `
name: busy
topology: {kind: star, hosts: 5}
traffic: [{kind: incast, senders: 4, receiver: h4, size: 300KB}]
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
faults: [{link: h0-s0, loss: 0.01}]
run: {limit: 500ms}
` + wrongClocks

// records are an algorithm's inputs and answers, for comparison with others.
type records struct {
	// run is the run of the scenario busy.
	run *run
	// shared are logs of its flows, which ran beside each other, random of flows with random events, each by itself.
	shared, random []*eventlog.Log
}

func (r *records) all() []*eventlog.Log {
	return append(r.shared[:len(r.shared):len(r.shared)], r.random...)
}

func (r *records) calls() (calls int) {
	for _, l := range r.all() {
		calls += l.Calls()
	}
	return calls
}

// recordedFlows is the number of random flows kept.
const recordedFlows = 6

// record runs the algorithm in a scenario and through random flows.
func (t *trial) record(algorithm cc.Algorithm) *records {
	recorder := &records{}
	into := func(list *[]*eventlog.Log) eventlog.Recorder {
		return eventlog.Recorder{Open: func(header eventlog.Header) eventlog.Sink {
			if header.Algorithm != t.about.Name {
				return nil
			}
			l := &eventlog.Log{Header: header}
			*list = append(*list, l)
			return l
		}}
	}
	recorder.run = t.inMemory(t.ctx, t.plan(busy, 1), into(&recorder.shared).Wrap(algorithm), mem.Options{})
	for seed := range uint64(recordedFlows) {
		if _, err := t.playFlow(into(&recorder.random).Wrap(algorithm), seed, randomEvents); err != nil {
			must(fmt.Errorf("in a random life: %w", err))
		}
	}
	return recorder
}

// recorded returns the subject's records, made by an algorithm of its own at the
// first call.
func (t *trial) recorded() *records {
	if t.reference == nil {
		t.reference = t.recordAnew()
	}
	return t.reference
}

func (t *trial) recordAnew() (records *records) {
	t.fresh(t.main(), func(a cc.Algorithm) { records = t.record(a) })
	return records
}

// fresh starts an algorithm for one use.
func (t *trial) fresh(program process.Program, use func(cc.Algorithm)) { t.freshIn(0, program, use) }

// freshIn does it in other surroundings.
func (t *trial) freshIn(factors surroundings.Factors, program process.Program, use func(cc.Algorithm)) {
	a, end := t.startIn(factors, program)
	used := false
	defer func() {
		if err := end.Close(); used {
			must(err)
		}
	}()
	use(a)
	used = true
}

// pause is the wait of a repetition: longer than a clock of whole seconds takes to its next tick.
const pause = 1100 * time.Millisecond

// wait sleeps, shorter if the kit is interrupted.
func wait(ctx context.Context, duration time.Duration) {
	select {
	case <-time.After(duration):
	case <-ctx.Done():
	}
}

const noDifference = "no difference"

// repeat makes the records once more, later.
func (t *trial) repeat() Row {
	first := t.recorded()
	wait(t.ctx, pause)
	second := t.recordAnew()
	c := same(first.run, second.run)
	what := compare(first.all(), second.all())
	c.want(what == "", "%s", what)
	return c.row(noDifference, "%d calls, trace %016x", first.calls(), first.run.Trace)
}

// compare returns the first difference of two recordings, "" for none.
func compare(was, is []*eventlog.Log) string {
	if len(was) != len(is) {
		return fmt.Sprintf("%d ends of flows, were %d", len(is), len(was))
	}
	for i, a := range was {
		b := is[i]
		for n := range min(len(a.Steps), len(b.Steps)) {
			if s := &a.Steps[n]; *s != b.Steps[n] {
				return fmt.Sprintf("flow %d, call %d, %v event at %v: rate %d b/s, was %d", a.Flow, n+1, s.Event.Kind, s.Event.Now,
					int64(b.Steps[n].After.Rate), int64(s.After.Rate))
			}
		}
		if !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("the %s of flow %d differs: %d calls, were %d", a.End, a.Flow, b.Calls(), a.Calls())
		}
	}
	return ""
}

// replay plays logs to an algorithm and returns the first difference, "" for
// none.
func (t *trial) replay(algorithm cc.Algorithm, logs ...*eventlog.Log) (calls int, what string) {
	controller := t.controller(algorithm)
	for _, l := range logs {
		m, err := eventlog.Replay(l, controller)
		must(err)
		calls += m.Calls
		if m.First != nil {
			return calls, fmt.Sprintf("%s of flow %d: %v", l.End, l.Flow, m.First)
		}
	}
	return calls, ""
}

// replayIn plays the records to a program in other surroundings.
func (t *trial) replayIn(program process.Program, factors surroundings.Factors) (calls int, what string) {
	r := t.recorded()
	t.freshIn(factors, program, func(a cc.Algorithm) { calls, what = t.replay(a, r.all()...) })
	return calls, what
}

// process replays the records in a process of its own and, if there are two forms, runs the scenario with the other
// one.
func (t *trial) process() Row {
	program, why := t.program()
	if program.Path == "" {
		return Row{Result: Skipped, Remark: "built in, not a program: " + why}
	}
	calls, what := t.replayIn(program, 0)
	var missed criteria
	missed.want(what == "", "%s", what)
	if t.Builtin == nil {
		return missed.row(noDifference, "%d calls", calls)
	}
	other := program
	if t.main().Path != "" {
		other = process.Program{}
	}
	t.fresh(other, func(a cc.Algorithm) {
		missed = append(missed, same(t.recorded().run, t.inMemory(t.ctx, t.plan(busy, 1), a, mem.Options{}))...)
	})
	return missed.row(noDifference, "%d calls, trace %016x built in and as a process", calls, t.recorded().run.Trace)
}

// isolation replays each flow of a run without the others, with the program started again for each.
func (t *trial) isolation() Row {
	var missed criteria
	total := 0
	r := t.recorded()
	for _, l := range r.shared {
		t.fresh(t.main(), func(algorithm cc.Algorithm) {
			calls, what := t.replay(algorithm, l)
			total += calls
			missed.want(what == "" || len(missed) > 0, "%s", what)
		})
	}
	return missed.row(noDifference, "%d calls of %d ends", total, len(r.shared))
}
