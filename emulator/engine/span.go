package engine

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A window of all sites has three parts. Paths promise what will leave them in it; sites run windows of their own up to
// its end; paths are advanced. It may cross points of the end grid, though the run may end at one: a site that has no
// incomplete flow left stops at the next point. When the last one has stopped there, that is the end; as long as one
// goes on, the end is not before that, and the others follow.

// windowOfSites runs a window of all sites up to horizon, or to the end of the run if that comes first, and returns the
// end of the last window within it.
func (e *Engine) windowOfSites(start, horizon unit.Time, finished bool) unit.Time {
	together := e.team != nil && (e.forced.AllWorkers || e.tuner.choose(e.Hops()))
	for _, w := range e.paths() {
		w.out.Use(e.bank ^ 1) // the sites take it for frames of the last window
		for _, n := range w.nodes {
			e.Nodes[n].(ahead).Promise(horizon, w.out)
		}
	}
	e.sites.start, e.sites.free = start, finished
	e.part(together, horizon)
	reached, behind := unit.Time(0), false
	for _, w := range e.workers[:e.sites.count] {
		reached = max(reached, w.stopped)
	}
	for _, w := range e.workers[:e.sites.count] {
		behind = behind || w.stopped < reached
	}
	if behind {
		e.sites.free, e.sites.again = true, true
		e.part(together, reached)
		e.sites.again = false
	}
	e.sites.follow = true
	e.part(together, reached)
	e.sites.follow = false
	last := unit.Time(0)
	for _, w := range e.workers {
		last = max(last, w.reached)
	}
	return min(reached, last)
}

// part runs a part of a window of all sites on all workers, or on this one.
func (e *Engine) part(together bool, horizon unit.Time) {
	if !together {
		for _, crew := range e.crews {
			e.lend(crew, horizon)
		}
		return
	}
	e.team.run(horizon, e.bank)
	e.lend(e.crews[0], horizon)
	e.team.wait()
}

// paths are the workers that have the paths.
func (e *Engine) paths() []*worker { return e.workers[e.sites.count:] }

// inSites runs a worker's share in a part of a window of all sites.
func (w *worker) inSites(horizon unit.Time, bank int) {
	s := w.engine.sites
	switch path := w.index >= s.count; {
	case path && s.follow:
		w.follow(horizon, bank)
	case path || s.follow:
	case s.again:
		w.span(horizon, bank)
	default:
		w.begin(bank)
		w.span(horizon, bank)
	}
}

// begin takes what came from the other sites in the last window, and what paths promise.
func (w *worker) begin(bank int) {
	e := w.engine
	sites := e.workers[:e.sites.count]
	for _, from := range sites {
		w.take(from.out, bank^1)
	}
	w.promised = w.promised[:0]
	for _, from := range e.paths() {
		w.promised = append(w.promised, from.out.Lane(bank^1, w.index)...)
		from.out.Reset(bank^1, w.index)
	}
	slices.SortStableFunc(w.promised, func(a, b fabric.Departure) int { return cmp.Compare(a.Start, b.Start) })
	w.out.Use(bank)
	w.earliest = unit.Never
	for _, n := range w.nodes {
		w.earliest = min(w.earliest, e.next[n])
	}
}

// span runs a site in windows of its own, up to the end of a window of all sites, or to the first point of the end grid
// after its flows are complete.
func (w *worker) span(horizon unit.Time, bank int) {
	e := w.engine
	next, bound := w.earliest, unit.Time(0)
	w.stopped = horizon
	for {
		if next >= bound {
			at := next
			if len(w.promised) > 0 {
				at = min(at, w.promised[0].Start)
			}
			stop := e.Schedule.gridAfter(max(w.reached-1, e.sites.start))
			if !e.sites.free && at >= stop && stop < horizon && w.isDone() {
				w.stopped = stop
				break
			}
			if at >= horizon {
				break
			}
			bound = min(horizon, e.Schedule.gridAfter(at))
			next = min(next, w.hear(bound))
			continue
		}
		w.note(next)
		w.horizon = min(next.Add(e.cut(next)), bound, w.instant)
		w.reached = w.horizon
		w.windows++
		w.out.Arrival = unit.Never
		next = w.advanceAll()
		if e.Codec {
			next = min(next, w.take(w.out, bank))
		}
		next = min(next, w.out.Arrival)
	}
	w.earliest = next
}

// hear delivers what paths promised to send before an instant, and returns the earliest arrival.
func (w *worker) hear(before unit.Time) unit.Time {
	earliest := unit.Never
	for len(w.promised) > 0 && w.promised[0].Start < before {
		earliest = min(earliest, w.deliver(&w.promised[0]))
		w.promised = w.promised[1:]
	}
	return earliest
}

// isDone reports whether all flows that end at the worker's nodes are complete.
func (w *worker) isDone() bool {
	for w.asked < len(w.nodes) && !w.engine.Pending(w.nodes[w.asked]) {
		w.asked++
	}
	return w.asked == len(w.nodes)
}

// follow advances paths to the end of a window that the sites have run.
func (w *worker) follow(horizon unit.Time, bank int) {
	e := w.engine
	w.collect(bank ^ 1) // what one path promised another
	w.collect(bank)
	w.out.Use(bank)
	earliest := func() unit.Time {
		next := unit.Never
		for _, n := range w.nodes {
			next = min(next, e.next[n])
		}
		return next
	}
	next := earliest()
	for next < horizon {
		w.note(next)
		w.horizon = min(horizon, e.Schedule.gridAfter(next), w.instant)
		w.reached = w.horizon
		next = w.advanceAll()
	}
	w.earliest = next
}

// note records the hashes of the worker's nodes at the instants up to start; they do nothing more before start.
func (w *worker) note(start unit.Time) {
	for w.instant <= start {
		for _, n := range w.nodes {
			h := &w.engine.histories[n]
			h.Note(w.engine.hashes[n])
			w.instant = h.Next()
		}
	}
}

// cut returns the length of a site's window.
func (e *Engine) cut(start unit.Time) unit.Duration {
	if e.forced.Cut == nil {
		return e.Lookahead
	}
	e.sites.cutting.Lock()
	defer e.sites.cutting.Unlock()
	return e.forced.Cut(start)
}
