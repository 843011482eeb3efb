package edge

import (
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// departed folds all bytes of the frames that left into a hash of its own: an injection may still come before
// such a frame, and the order of records decides a node's hash.
type departed struct {
	hash trace.Hash
	room []byte // for the bytes of a frame
}

// came notes all bytes of a frame from outside in the trace.
func (e *Edge) came(now unit.Time, frame *wire.Frame) {
	var digest uint64
	digest, e.left.room = frame.DigestWhole(e.left.room)
	e.out.Note(trace.Came, now, linkPort, digest)
}

// leaves notes all bytes of a frame for outside.
func (e *Edge) leaves(now unit.Time, frame *wire.Frame) {
	var digest uint64
	digest, e.left.room = frame.DigestWhole(e.left.room)
	e.left.hash.Fold(trace.Left, now, linkPort, digest)
}

// Trace returns the trace of an edge at the end of a run: the hash of its records, and all bytes of what left.
func (e *Edge) Trace(hash trace.Hash) trace.Hash {
	hash.Fold(trace.Left, 0, linkPort, uint64(e.left.hash))
	return hash
}
