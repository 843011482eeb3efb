package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Observer inspects the whole fabric at every multiple of its interval, after all events before that instant and before
// any at or after it, and at the end of the run. In each time without events it is called at most QuietLooks times.
type Observer struct {
	Every   unit.Duration
	Observe func(now unit.Time)

	last unit.Time // when it looked last
}

// QuietLooks is the largest number of looks of an observer in a time without events. Nothing changes there: the first
// look sees what the last event left, the second that it stays so.
const QuietLooks = 2

// Config describes a fabric and how to run it.
type Config struct {
	Nodes []fabric.Node
	// Targets gives the receiving end of each link direction, by LinkID.
	Targets []fabric.Target
	// Neighbour gives, for each node, a node that should share its worker,
	// such as a NIC's switch; -1 for none. Weight is a node's expected share
	// of the work. Both only matter for speed and may be nil.
	Neighbour []int
	Weight    []int
	// Lookahead is the longest window; see fabric.Attachment. Range: above 0.
	Lookahead unit.Duration
	// Workers is the largest number of goroutines; 0 takes one.
	Workers int
	// Codec encodes and decodes each frame at each hand-over.
	Codec bool
	// Timed makes each worker measure its windows by the wall clock, for Busy. It costs two readings of the clock per
	// window.
	Timed bool
	// Watch sees departures and drops; it forces a single worker.
	Watch fabric.Watcher

	// Schedule determines the windows and the end of the run; Finished reports the instant of the last completion, for
	// a run whose end the plan does not fix.
	Schedule
	Finished  func() (last unit.Time, done bool)
	Observers []Observer
	// Windowed, if not nil, is called after every window; nothing more can happen before now.
	Windowed func(now unit.Time)
}

// Engine is a fabric being run.
type Engine struct {
	Config
	next   []unit.Time // of each node; written by its worker
	hashes []trace.Hash
	// histories are the hashes at instants; instant is the next one to record.
	histories []trace.History
	instant   unit.Time

	workers []*worker
	bank    int
	windows uint64
	tuner   tuner
	team    *team
	forced  enginetest.Windows
}

// Stop is the reason why a run ended.
type Stop uint8

// The reasons.
const (
	// Complete: the plan's end was reached.
	Complete Stop = iota
	// Exhausted: Limit was reached, or nothing was left to happen, before
	// all flows completed.
	Exhausted
	// Interrupted: the context was cancelled.
	Interrupted
)

// New returns an engine that has not started. It panics on a lookahead that is
// not positive and an end grid below two lookaheads, which no valid plan has.
func New(config Config) *Engine {
	if config.Lookahead <= 0 {
		panic("engine: lookahead must be positive")
	}
	if config.Until == 0 && config.EndGrid < 2*config.Lookahead {
		panic(fmt.Sprintf("engine: end grid %v is below two lookaheads of %v", config.EndGrid, config.Lookahead))
	}
	if config.Workers < 1 || config.Watch != nil {
		config.Workers = 1
	}
	e := &Engine{
		Config:    config,
		next:      make([]unit.Time, len(config.Nodes)),
		hashes:    make([]trace.Hash, len(config.Nodes)),
		histories: make([]trace.History, len(config.Nodes)),
		instant:   unit.Never,
	}
	for i := range e.histories {
		e.histories[i].Begin(config.Least)
		e.instant = e.histories[i].Next()
	}
	owner := partition(&config)
	laneOf := make([]uint8, len(config.Targets))
	for l, t := range config.Targets {
		laneOf[l] = uint8(owner[t.Node])
	}
	for w := range config.Workers {
		e.workers = append(e.workers, newWorker(e, w, owner, laneOf))
	}
	return e
}

// Run advances the fabric to its end and returns when and why it ended. An
// error means that a frame did not survive its encoding, which is a fault of
// the codec. Run may be called once.
func (e *Engine) Run(ctx context.Context) (end unit.Time, why Stop, err error) {
	e.forced = enginetest.Of(ctx)
	if len(e.workers) > 1 {
		e.team = newTeam(e.workers[1:])
		e.tuner = newTuner(time.Now)
		defer e.team.dismiss()
	}
	defer e.closeRounds()
	end, finished := e.InitialEnd()
	interrupted := ctx.Done()
	now := unit.Time(0)
	for {
		select {
		case <-interrupted:
			return now, Interrupted, nil
		default:
		}
		start := e.earliest()
		if start >= end || start == unit.Never {
			if !finished && start == unit.Never {
				end = e.EndIdle(now)
			}
			e.observeQuiet(now, end)
			break
		}
		e.observeQuiet(now, start)
		e.note(start)
		now = e.horizon(start, end)
		e.window(now)
		if err := e.firstError(); err != nil {
			return now, Interrupted, err
		}
		e.observe(now)
		if e.Windowed != nil {
			e.Windowed(now)
		}
		if !finished {
			if last, done := e.Finished(); done {
				finished = true
				end = e.EndAfter(last)
			}
		}
	}
	for i := range e.Observers {
		e.Observers[i].look(end)
	}
	if !finished {
		return end, Exhausted, nil
	}
	if e.Windowed != nil {
		e.Windowed(end)
	}
	return end, Complete, nil
}

// note records the nodes' hashes at the instants up to start; nothing more happens before start.
func (e *Engine) note(start unit.Time) {
	for e.instant <= start {
		for i := range e.histories {
			e.histories[i].Note(e.hashes[i])
		}
		e.instant = e.histories[0].Next()
	}
}

// horizon returns the end of the window that starts at start, which crosses no
// instant of an observer or of the histories either.
func (e *Engine) horizon(start, end unit.Time) unit.Time {
	length := e.Lookahead
	if e.forced.Cut != nil {
		length = e.forced.Cut(start)
	}
	h := min(e.Horizon(start, length, end), e.instant)
	for i := range e.Observers {
		h = min(h, NextMultiple(start, e.Observers[i].Every))
	}
	return h
}

// observe calls the observers whose instant is now.
func (e *Engine) observe(now unit.Time) {
	for i := range e.Observers {
		if int64(now)%int64(e.Observers[i].Every) == 0 {
			e.Observers[i].look(now)
		}
	}
}

// observeQuiet calls the observers at their first instants after now, up to start; nothing happens before start.
func (e *Engine) observeQuiet(now, start unit.Time) {
	for i := range e.Observers {
		o := &e.Observers[i]
		at := NextMultiple(now, o.Every)
		for looks := 0; looks < QuietLooks && at <= start; looks++ {
			o.look(at)
			at = at.Add(o.Every)
		}
	}
}

// look calls the observer, but not twice at one instant.
func (o *Observer) look(now unit.Time) {
	if now > o.last {
		o.last = now
		o.Observe(now)
	}
}

// window runs all nodes up to horizon and leaves what they sent in the lanes
// of the current bank.
func (e *Engine) window(horizon unit.Time) {
	e.windows++
	if e.team != nil && (e.forced.AllWorkers || e.tuner.choose(e.Hops())) {
		e.team.run(horizon, e.bank)
		e.workers[0].run(horizon, e.bank, e.workers[0].lent)
		e.team.wait()
	} else {
		for _, w := range e.workers {
			w.run(horizon, e.bank, w.lent)
		}
	}
	e.bank ^= 1
	if len(e.workers) > 1 && e.windows%1024 == 0 {
		e.balanceFree()
	}
}

// closeRounds ends the rounds that Run's goroutine ran.
func (e *Engine) closeRounds() {
	for _, w := range e.workers {
		w.lent.Close()
	}
}

// earliest returns a time that no pending event precedes: of the nodes, and
// of the frames that left in the last window.
func (e *Engine) earliest() unit.Time {
	t := unit.Never
	for _, w := range e.workers {
		t = min(t, w.earliest)
	}
	return t
}

// balanceFree evens out the workers' free frames: a worker whose nodes send more
// than they receive would otherwise allocate for ever.
func (e *Engine) balanceFree() {
	first := e.workers[0].out
	for _, w := range e.workers[1:] {
		surplus := (first.FreeFrames() - w.out.FreeFrames()) / 2
		if surplus > 0 {
			first.GiveFree(surplus, w.out)
		} else {
			w.out.GiveFree(-surplus, first)
		}
	}
}

func (e *Engine) firstError() error {
	for _, w := range e.workers {
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// Settle hands over the frames that left in the last window, so that every
// frame is in a node and can be accounted for. It is called once, after Run.
func (e *Engine) Settle() {
	for _, w := range e.workers {
		w.collect(e.bank ^ 1)
	}
}

// ForgetFrames releases free frames and the ways by which frames were handed over, once all is settled.
func (e *Engine) ForgetFrames() {
	for _, w := range e.workers {
		w.out = nil
	}
}

// Hashes returns the trace hash of each node.
func (e *Engine) Hashes() []trace.Hash { return e.hashes }

// History returns the hash of a node at instants up to end, the end of the run.
func (e *Engine) History(node int, end unit.Time) trace.History {
	e.histories[node].Until(end, e.hashes[node])
	return e.histories[node]
}

// Windows returns the number of windows run.
func (e *Engine) Windows() uint64 { return e.windows }

// Busy returns how long the nodes of each worker ran by the wall clock, if the engine is Timed.
func (e *Engine) Busy() (busy []time.Duration) {
	for _, w := range e.workers {
		busy = append(busy, w.busy)
	}
	return busy
}

// Hops returns the number of frames sent.
func (e *Engine) Hops() uint64 {
	n := uint64(0)
	for _, w := range e.workers {
		n += w.out.Hops
	}
	return n
}
