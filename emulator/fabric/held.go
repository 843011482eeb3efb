package fabric

import (
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Held keeps a node's records until they are folded into its trace.
type Held struct{ records []heldRecord }

type heldRecord struct {
	kind   trace.Kind
	at     unit.Time
	port   int
	digest uint64
	frame  *wire.Frame // in place of a digest
}

// sent keeps a departure, whose digest is taken later. It is not inlined, for Emit is called for every hop and the
// records are in the way of its registers.
//
//go:noinline
func (h *Held) sent(start unit.Time, port int, frame *wire.Frame) {
	h.records = append(h.records, heldRecord{kind: trace.Sent, at: start, port: port, frame: frame})
}

// Hold keeps the node's records back from now on, so that the node may complete the contents of frames that it has sent
// already, until it calls Release. That must be before its Advance returns: they are not read earlier.
func (o *Outbox) Hold(held *Held) { o.held = held }

// MayHold reports whether the node may call Hold: it may if there is no Watch for the frames as they leave.
func (o *Outbox) MayHold() bool { return o.Watch == nil }

// Release folds the records kept back.
func (o *Outbox) Release() {
	for _, r := range o.held.records {
		if r.frame != nil {
			r.digest = r.frame.Digest()
		}
		o.hash.Fold(r.kind, r.at, r.port, r.digest)
	}
	clear(o.held.records)
	o.held.records = o.held.records[:0]
	o.held = nil
}

// fold folds a record into the node's trace, or keeps it.
func (o *Outbox) fold(kind trace.Kind, at unit.Time, port int, digest uint64) {
	if o.held == nil {
		o.hash.Fold(kind, at, port, digest)
		return
	}
	o.held.records = append(o.held.records, heldRecord{kind: kind, at: at, port: port, digest: digest})
}
