package diff

import (
	"cmp"
	"slices"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// record is a frame that a node sent or dropped.
type record struct {
	at     unit.Time
	node   int
	port   int
	kind   trace.Kind // trace.Sent or trace.Dropped
	reason fabric.DropReason
	frame  wire.Frame
}

// contextFrames is the number of frames of a port that are shown before and after the first that differs.
const contextFrames = 5

// recorder keeps the frames that nodes send and drop from an instant on, chunk by chunk: it is a mem.Watcher. After
// each chunk it calls told, which may look at the chunk and at the frames before it.
type recorder struct {
	ends []fabric.Target // the sending end of each link direction
	span Span
	// told is called with each chunk.
	told func()

	// pending are the records beyond the end of the chunk; chunk are the ones up to its end, to, in the order of the
	// calls.
	pending, chunk []record
	to             unit.Time
	// last are the frames at a port before the chunk, the latest contextFrames of them.
	last map[fabric.Target][]record
	// over is set once the run is over.
	over bool
}

// newRecorder keeps what happens in a plan's fabric from the beginning of a span on.
func newRecorder(p *plan.Plan, span Span, told func()) *recorder {
	r := &recorder{span: span, told: told, to: span.From, last: map[fabric.Target][]record{}}
	for i := range p.Links {
		a, b := p.Links[i].A, p.Links[i].B
		r.ends = append(r.ends, fabric.Target{Node: int(a.Node), Port: a.Port},
			fabric.Target{Node: int(b.Node), Port: b.Port})
	}
	return r
}

// Departed keeps a frame that leaves.
func (r *recorder) Departed(link fabric.LinkID, start unit.Time, frame *wire.Frame) {
	if start >= r.span.From {
		end := r.ends[link]
		r.keep(record{at: start, node: end.Node, port: end.Port, kind: trace.Sent}, frame)
	}
}

// Dropped keeps a frame that is dropped.
func (r *recorder) Dropped(node, port int, at unit.Time, reason fabric.DropReason, frame *wire.Frame) {
	if at >= r.span.From {
		r.keep(record{
			at:     at,
			node:   node,
			port:   port,
			kind:   trace.Dropped,
			reason: reason,
		}, frame)
	}
}

func (r *recorder) keep(kept record, frame *wire.Frame) {
	kept.frame.Copy(frame)
	r.pending = append(r.pending, kept)
}

// Windowed reports the chunks that are complete by now.
func (r *recorder) Windowed(now unit.Time) {
	for r.chunkEnd() <= now {
		r.next(r.chunkEnd())
	}
}

// chunkEnd is where the next chunk ends, one of them where the span does.
func (r *recorder) chunkEnd() unit.Time {
	end := r.to.Add(r.span.Width)
	if r.to < r.span.To {
		end = min(end, r.span.To)
	}
	return end
}

// end reports the rest after a run that ended.
func (r *recorder) end() {
	r.over = true
	r.next(unit.Never)
}

// next makes the records before to the chunk, and reports it.
func (r *recorder) next(to unit.Time) {
	for i := range r.chunk {
		one := &r.chunk[i]
		place := fabric.Target{Node: one.node, Port: one.port}
		list := append(r.last[place], *one)
		if len(list) > 4*contextFrames { // moved seldom
			list = append(list[:0], list[len(list)-contextFrames:]...)
		}
		r.last[place] = list
	}
	r.chunk, r.to = r.chunk[:0], to
	rest := r.pending[:0]
	for i := range r.pending {
		if r.pending[i].at < to {
			r.chunk = append(r.chunk, r.pending[i])
		} else {
			rest = append(rest, r.pending[i])
		}
	}
	r.pending = rest
	r.told()
}

// sums returns the hashes of each node's actions in the chunk, in their order; none for a node without any.
func (r *recorder) sums() map[int]trace.Hash {
	sums := map[int]trace.Hash{}
	for i := range r.chunk {
		one := &r.chunk[i]
		hash := sums[one.node]
		hash.Fold(one.kind, one.at, one.port, one.frame.Digest()+uint64(one.reason))
		sums[one.node] = hash
	}
	return sums
}

// of returns what a node did in the chunk, by time and port.
func (r *recorder) of(node int) (list []record) {
	for i := range r.chunk {
		if r.chunk[i].node == node {
			list = append(list, r.chunk[i])
		}
	}
	slices.SortStableFunc(list, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.port, b.port))
	})
	return list
}

// before returns the latest frames at a port before the chunk.
func (r *recorder) before(node, port int) []record {
	list := r.last[fabric.Target{Node: node, Port: port}]
	return list[max(0, len(list)-contextFrames):]
}
