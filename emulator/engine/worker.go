package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// worker runs some of the nodes. In a window it takes the frames sent to them in the last one, advances nodes with
// pending events, and leaves the frames that they send in its outbox, a lane for each worker; frames between its own
// nodes need no lane.
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
	busy  time.Duration
	bytes []byte // of the frame in the codec
	_     [64]byte
}

func newWorker(engine *Engine, index int, owner []int, laneOf []uint8) *worker {
	w := &worker{engine: engine, index: index, out: fabric.NewOutbox(engine.Workers, laneOf)}
	w.out.Watch = engine.Watch
	if !engine.Codec {
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
	if !w.engine.Timed {
		w.window(horizon, bank)
		return
	}
	began := time.Now()
	w.window(horizon, bank)
	w.busy += time.Since(began)
}

// window runs the worker's part of a window that fills the given bank.
func (w *worker) window(horizon unit.Time, bank int) {
	w.collect(bank ^ 1)
	engine := w.engine
	w.out.Use(bank)
	w.horizon = horizon
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
	if w.out.First != unit.Never {
		earliest = min(earliest, w.out.First.Add(engine.Lookahead))
	}
	w.earliest = min(earliest, w.out.Arrival)
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
	e := w.engine
	for _, from := range e.workers {
		for _, d := range from.out.Lane(bank, w.index) {
			if e.Codec {
				w.recode(d.Frame)
			}
			to := e.Targets[d.Link]
			arrival := e.Nodes[to.Node].Deliver(to.Port, d.Start, unit.Bytes(d.Length), d.Frame)
			if arrival < e.next[to.Node] {
				e.next[to.Node] = arrival
			}
		}
		from.out.Reset(bank, w.index)
	}
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
