package conformance

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/eventlog"
)

// records are logs of an algorithm that others are compared with.
type records struct {
	// shared are of flows that ran beside each other, random of flows that met
	// random events, each alone.
	shared, random []*eventlog.Log
}

func (r *records) all() []*eventlog.Log {
	return append(r.shared[:len(r.shared):len(r.shared)], r.random...)
}

func (r *records) calls() (n int) {
	for _, l := range r.all() {
		n += l.Calls()
	}
	return n
}

// recordedLives is how many random lives are kept.
const recordedLives = 6

// record runs the algorithm in a scenario and through random lives, and keeps
// what it was told and answered.
func (k *kit) record(a cc.Algorithm) (*records, error) {
	r := &records{}
	into := func(list *[]*eventlog.Log) eventlog.Recorder {
		return eventlog.Recorder{Open: func(h eventlog.Header) eventlog.Sink {
			if h.Algorithm != k.about.Name {
				return nil
			}
			l := &eventlog.Log{Header: h}
			*list = append(*list, l)
			return l
		}}
	}
	if _, err := k.simulate(busy, setting{}, into(&r.shared).Wrap(a)); err != nil {
		return nil, err
	}
	for seed := range uint64(recordedLives) {
		if _, err := k.live(into(&r.random).Wrap(a), seed, lifeEvents); err != nil {
			return nil, fmt.Errorf("in a random life: %w", err)
		}
	}
	return r, nil
}

// recorded returns the subject's records, made at the first call.
func (k *kit) recorded() (*records, error) {
	if k.records == nil && k.recordErr == nil {
		k.records, k.recordErr = k.newRecord()
	}
	return k.records, k.recordErr
}

func (k *kit) newRecord() (r *records, err error) {
	a, close, err := k.open()
	if err != nil {
		return nil, err
	}
	r, err = k.record(a)
	return r, errors.Join(err, close.Close())
}

// pause is how long a repetition waits: longer than a clock of whole seconds
// takes to its next tick.
const pause = 1100 * time.Millisecond

// wait sleeps, or not so long if the kit is interrupted.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// repeat makes the records once more, later.
func (k *kit) repeat() Row {
	first, err := k.recorded()
	if err != nil {
		return missed(err)
	}
	wait(k.ctx, pause)
	second, err := k.newRecord()
	if err != nil {
		return missed(err)
	}
	if what := compare(first.all(), second.all()); what != "" {
		return Row{Result: Miss, Allowed: "no difference", Remark: what}
	}
	return Row{Result: Pass, Figure: fmt.Sprintf("%d calls", first.calls()), Allowed: "no difference"}
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
			return fmt.Sprintf("the %s of flow %d is another: %d calls, were %d", a.End, a.Flow, b.Calls(), a.Calls())
		}
	}
	return ""
}

// replay plays logs to an algorithm and returns the first difference, "" for
// none.
func (k *kit) replay(a cc.Algorithm, logs []*eventlog.Log) (calls int, what string, err error) {
	controller, err := k.configure(a)
	if err != nil {
		return 0, "", err
	}
	for _, l := range logs {
		m, err := eventlog.Replay(l, controller)
		if err != nil {
			return calls, "", err
		}
		calls += m.Calls
		if m.First != nil {
			return calls, fmt.Sprintf("%s of flow %d: %v", l.End, l.Flow, m.First), nil
		}
	}
	return calls, "", nil
}

// replayIn plays the records to a program.
func (k *kit) replayIn(path string) (calls int, what string, err error) {
	r, err := k.recorded()
	if err != nil {
		return 0, "", err
	}
	a, close, err := start(path)
	if err != nil {
		return 0, "", err
	}
	calls, what, err = k.replay(a, r.all())
	return calls, what, errors.Join(err, close.Close())
}

// process replays the records in a process of its own.
func (k *kit) process() Row {
	path, why := k.program()
	if path == "" {
		return Row{Result: NotChecked, Remark: "built in, and no program: " + why}
	}
	calls, what, err := k.replayIn(path)
	switch {
	case err != nil:
		return missed(err)
	case what != "":
		return Row{Result: Miss, Allowed: "no difference", Remark: what}
	}
	row := Row{Result: Pass, Figure: fmt.Sprintf("%d calls", calls), Allowed: "no difference"}
	if k.Builtin != nil {
		row.Remark = "recorded in this process, replayed to its program"
	}
	return row
}

// isolation replays each flow of a run where the others are not, a program
// started anew for each.
func (k *kit) isolation() Row {
	r, err := k.recorded()
	if err != nil {
		return missed(err)
	}
	total := 0
	for _, l := range r.shared {
		row := k.with(func(a cc.Algorithm) Row {
			calls, what, err := k.replay(a, []*eventlog.Log{l})
			total += calls
			switch {
			case err != nil:
				return missed(err)
			case what != "":
				return Row{Result: Miss, Allowed: "no difference", Remark: what}
			}
			return Row{}
		})
		if row.Result == Miss {
			return row
		}
	}
	return Row{Result: Pass, Figure: fmt.Sprintf("%d calls of %d ends", total, len(r.shared)), Allowed: "no difference"}
}
