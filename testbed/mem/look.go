package mem

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// progressPeriod is the wall-clock time between two calls of Progress, and progressShare the least ratio of the time
// between two calls to the time of counting: with many nodes and flows, it is seldom.
const (
	progressPeriod = 200 * time.Millisecond
	progressShare  = 200
)

// progressQueues is the number of port queues that a report names.
const progressQueues = 16

// look reports progress while the windows go on. A goroutine sets a flag when a report is wanted; the windows test that
// flag, fill the slot between two of them, and never wait for the reader.
type look struct {
	built  *built
	report func(model.Progress)
	hops   func() uint64
	wanted atomic.Bool
	slot   chan model.Progress
	over   chan struct{}
	done   chan struct{}
	period time.Duration
	// rest is until when no report is made.
	rest time.Time
}

// newLook adds the report of progress to the engine's windows; nil if none is asked for.
func (b *built) newLook(c *engine.Config, o Options, hops func() uint64) *look {
	if o.Progress == nil {
		return nil
	}
	l := &look{
		built:  b,
		report: o.Progress,
		hops:   hops,
		slot:   make(chan model.Progress, 1),
		over:   make(chan struct{}),
		done:   make(chan struct{}),
		period: cmp.Or(o.period, progressPeriod),
	}
	next := c.Windowed
	c.Windowed = func(now unit.Time) {
		if next != nil {
			next(now)
		}
		if l.wanted.Load() {
			l.fill(now)
		}
	}
	return l
}

// begin starts the requests for reports.
func (l *look) begin() {
	if l == nil {
		return
	}
	go func() {
		defer crash.Guard()()
		defer close(l.done)
		ticker := time.NewTicker(l.period)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				l.wanted.Store(true)
			case p := <-l.slot:
				l.report(p)
			case <-l.over:
				return
			}
		}
	}()
}

// fill puts a report into the slot. It is called between two windows.
func (l *look) fill(now unit.Time) {
	l.wanted.Store(false)
	began := time.Now()
	if began.Before(l.rest) {
		return
	}
	p := l.progress(now)
	l.rest = began.Add(progressShare * time.Since(began))
	select {
	case l.slot <- p:
	default: // the one before was not read yet
	}
}

// end stops the reports; at most one of them is being made while it waits.
func (l *look) end() {
	if l != nil {
		close(l.over)
		<-l.done
	}
}

// final makes the last report of a run that is over.
func (l *look) final(end unit.Time) {
	if l != nil {
		p := l.progress(end)
		p.Final = true
		l.report(p)
	}
}

// progress asks all nodes.
func (l *look) progress(now unit.Time) model.Progress {
	p := model.Progress{
		Now:   now,
		Until: l.built.plan.Until,
		Hops:  l.hops(),
		Total: l.built.payload,
		Tally: record.Tally{Most: progressQueues},
	}
	for i, n := range l.built.nodes {
		p.Done += n.Acked()
		if t, ok := n.Model.(model.Teller); ok {
			p.Tally.Node = i
			t.Tell(&p.Tally)
		}
	}
	return p
}
