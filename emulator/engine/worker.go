package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// worker runs some of the nodes: a goroutine's, or a site's. In a window it takes the frames sent to them in
// the last one, advances nodes with pending events, and leaves the frames that they send in its outbox, a lane for each
// worker; frames between its own nodes need no lane.
type worker struct {
	engine *Engine
	index  int
	nodes  []int
	out    *fabric.Outbox
	// earliest is, after a window, a time that no event of the worker's
	// nodes and no arrival of the frames they sent precedes.
	earliest unit.Time
	err      error
	// If some nodes wait for answers of other processes, own runs the nodes up to horizon on the worker's
	// goroutine, and lent on that of the first worker; both are nil if none do.
	own, lent *fabric.Round
	horizon   unit.Time
	// busy is the wall-clock time spent in windows, if the engine is Timed.
	busy time.Duration

	// The rest is used if there are sites. windows counts a site's, and instant is the next one of its histories.
	windows uint64
	instant unit.Time
	// promised are the frames that paths will send, in the order of their starts; asked are the nodes, from the first on,
	// that have no incomplete flow.
	promised []fabric.Departure
	asked    int
	// reached is the end of its last window, stopped how far it came in the window of all sites.
	reached, stopped unit.Time
	bytes            []byte // of the frame in the codec
	_                [64]byte
}

func newWorker(engine *Engine, index, parts int, owner []int, laneOf []uint8) *worker {
	w := &worker{engine: engine, index: index, out: fabric.NewOutbox(parts, laneOf)}
	w.out.Watch = engine.Watch
	if engine.sites != nil {
		w.out.Own(index)
	}
	if !engine.Codec && (engine.sites == nil || index < engine.sites.count) { // no path sends to itself
		w.out.Direct(index, engine.Nodes, engine.Targets, engine.next)
	}
	for n, o := range owner {
		if o == index {
			w.nodes = append(w.nodes, n)
		}
	}
	if slices.ContainsFunc(w.nodes, func(n int) bool { return fabric.Asks(engine.Nodes[n]) }) {
		w.own, w.lent = fabric.NewRound(w.advance), fabric.NewRound(w.advance)
	}
	return w
}

// run runs the worker's part of a window, in the round of this goroutine if there is one, and times it if that is
// wanted.
func (w *worker) run(horizon unit.Time, bank int, round *fabric.Round) {
	w.out.Round = round
	window := w.window
	if w.engine.sites != nil {
		window = w.inSites
	}
	if !w.engine.Timed {
		window(horizon, bank)
		return
	}
	began := time.Now()
	window(horizon, bank)
	w.busy += time.Since(began)
}

// window runs the worker's part of a window that fills the given bank.
func (w *worker) window(horizon unit.Time, bank int) {
	w.collect(bank ^ 1)
	w.out.Use(bank)
	w.horizon = horizon
	earliest := w.advanceAll()
	if w.out.First != unit.Never {
		earliest = min(earliest, w.out.First.Add(w.engine.Lookahead))
	}
	w.earliest = min(earliest, w.out.Arrival)
}

// advanceAll has all nodes handle their events before the window's end, and returns the earliest of the rest.
func (w *worker) advanceAll() unit.Time {
	engine, horizon := w.engine, w.horizon
	if round := w.out.Round; round != nil {
		round.Run(len(w.nodes))
	}
	earliest := unit.Never
	for _, n := range w.nodes { // after a round nothing is left to do but to find the earliest event
		next := engine.next[n]
		if next < horizon {
			w.out.Begin(n, &engine.hashes[n])
			next = engine.Nodes[n].Advance(horizon, w.out)
			engine.next[n] = next
		}
		earliest = min(earliest, next)
	}
	return earliest
}

// advance has a node, the i-th of the worker's, handle all events before the window's end: its part of a round.
func (w *worker) advance(i int) {
	engine, n := w.engine, w.nodes[i]
	if engine.next[n] < w.horizon {
		w.out.Begin(n, &engine.hashes[n])
		engine.next[n] = engine.Nodes[n].Advance(w.horizon, w.out)
	}
}

// collect delivers what all workers sent to this one's nodes.
func (w *worker) collect(bank int) {
	for _, from := range w.engine.workers {
		w.take(from.out, bank)
	}
}

// take delivers the frames for this worker's nodes in an outbox, and returns the earliest arrival.
func (w *worker) take(from *fabric.Outbox, bank int) unit.Time {
	earliest := unit.Never
	for _, d := range from.Lane(bank, w.index) {
		earliest = min(earliest, w.deliver(&d))
	}
	from.Reset(bank, w.index)
	return earliest
}

// deliver gives a frame to its receiver, and returns its arrival.
func (w *worker) deliver(d *fabric.Departure) unit.Time {
	e := w.engine
	if e.Codec {
		w.recode(d.Frame)
	}
	to := e.Targets[d.Link]
	arrival := e.Nodes[to.Node].Deliver(to.Port, d.Start, unit.Bytes(d.Length), d.Frame)
	if arrival < e.next[to.Node] {
		e.next[to.Node] = arrival
	}
	return arrival
}

// recode replaces a frame by what its bytes say.
func (w *worker) recode(frame *wire.Frame) {
	w.bytes = frame.AppendTo(w.bytes[:0])
	var back wire.Frame
	if frame.IsOpaque() {
		wire.DecodeAny(w.bytes, frame)
		return
	}
	if err := wire.Decode(w.bytes, &back); err != nil && w.err == nil {
		w.err = fmt.Errorf("frame %v did not survive its encoding: %w", frame, err)
		return
	}
	if back.Rare != nil { // its payload lies in the buffer, which the next frame needs
		back.Rare.Payload = slices.Clone(back.Rare.Payload)
	}
	*frame = back
}
