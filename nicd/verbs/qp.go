package verbs

import (
	"crypto/sha256"
	"fmt"

	"github.com/rocelab/rocelab/emulator/peer"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// QP is one end of the connection. Make one with New.
type QP struct {
	config    peer.Config
	responder responder
	requester requester
	counters  Counters
	out       []wire.Frame
	emitted   uint64 // frames that Out handed over or will
	waiting   uint64 // frames that were handed over and have not left
	scratch   []byte
}

// Fate is the result of Take.
type Fate uint8

// The fates.
const (
	Taken     Fate = iota
	Duplicate      // taken before, and answered again
	Ahead          // a request beyond the next, or a READ when too much waits, dropped
	Refused        // answered by a NAK, or nothing for this end
)

// New returns an end in the state ready to send and to receive (RTS).
func New(config peer.Config) (*QP, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	q := &QP{config: config}
	q.responder = newResponder(&q.config, q)
	q.requester = newRequester(&q.config, q)
	return q, nil
}

// Waits sets the number of frames that Out handed over and that have not left yet, 0 by default. READs are not served
// while it is too large, or while their answer waits.
func (q *QP) Waits(frames uint64) { q.waiting = frames }

// left is the number of frames of Out that have left.
func (q *QP) left() uint64 { return q.emitted - q.waiting - uint64(len(q.out)) }

// Take takes a frame from the peer.
func (q *QP) Take(now unit.Time, f *wire.Frame) (fate Fate) {
	q.counters.Received++
	switch op := f.Opcode; {
	case partOf(op).operation != none:
		fate = q.responder.take(now, f)
	case op == wire.Acknowledge:
		fate = q.requester.acknowledged(now, f)
	case op >= wire.ReadFirst && op <= wire.ReadOnly:
		fate = q.requester.response(now, f)
	case op == wire.CNP:
		q.counters.CNPs++
	default:
		fate = Refused
	}
	q.requester.pump(now)
	return fate
}

// Advance does everything that is due by now.
func (q *QP) Advance(now unit.Time) {
	q.requester.expire(now)
	q.requester.pump(now)
}

// Next returns when Advance has something to do, unit.Never if a frame of the peer must come first.
func (q *QP) Next() unit.Time { return q.requester.due() }

// Out hands over the frames that are to leave, in their order; the slice is valid until the next call of the QP. They
// have everything behind BTH's destination QP; addresses and the QP itself are the owner's, and so is the
// payload where Rare has none: the pattern of that QP.
func (q *QP) Out() []wire.Frame {
	out := q.out
	q.out = q.out[:0]
	return out
}

func (q *QP) emit(f wire.Frame) {
	q.counters.Sent++
	q.emitted++
	q.out = append(q.out, f)
}

// Done reports whether all work is complete, or the connection ended with an error.
func (q *QP) Done() bool { return q.requester.done() }

// Record returns what the QP did so far.
func (q *QP) Record() Record {
	a, b := &q.responder, &q.requester
	r := Record{
		Counters:    q.counters,
		Status:      b.status,
		Completed:   b.completed,
		ReadErrors:  b.wrong,
		Messages:    a.received.messages,
		ReceivedSum: a.received.String(),
		MemorySum:   fmt.Sprintf("%x", sha256.Sum256(a.memory)),
		ShadowSum:   fmt.Sprintf("%x", sha256.Sum256(b.shadow)),
		SentSum:     b.sentMessages.String(),
	}
	if b.status == Unfinished && b.done() {
		r.Status = Success
	}
	if a.error {
		r.Refused = a.syndrome
	}
	return r
}
