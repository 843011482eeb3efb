package verbs

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Drive leaves it to the owner when each request leaves: it calls Pull, and Out has answers only. Call it before
// anything else.
func (q *QP) Drive() { q.requester.driven, q.requester.at = true, unit.Never }

// Ready reports whether a request may leave now, by the window, the peer's receives and the work.
func (q *QP) Ready(now unit.Time) bool { return q.requester.ready(now) != nil }

// Held reports whether the next request, when Ready was last asked, was there and had to wait for an ACK: for room in
// the window, for an earlier READ, or for credits.
func (q *QP) Held() bool { return q.requester.held }

// Pull makes the next request, which leaves now; ok is false if none may.
func (q *QP) Pull(now unit.Time) (f wire.Frame, ok bool) {
	m := q.requester.ready(now)
	if m == nil {
		return f, false
	}
	q.counters.Sent++
	return q.requester.packet(now, m), true
}

// Progress is the state of the requests of our host. Packets are numbered from 0; a READ has as many as it has
// responses. Payload is that of WRITEs and SENDs.
type Progress struct {
	// Una is the oldest packet that is not acknowledged, Next the next to leave, High the first that never left. End is
	// the end of the messages begun, which is that of all work if All is set.
	Una, Next, High, End int64
	All                  bool
	// Acked is the payload before Una, Sent that before Next.
	Acked, Sent unit.Bytes
	// Done is set if all work is complete, or the connection ended with an error: Status is not Unfinished then.
	Done   bool
	Status Status
	// Timeouts and Gaps count the timeouts, and the NAKs for a gap that the peer sent.
	Timeouts, Gaps uint64
}

// Progress returns the progress of our host's requests.
func (q *QP) Progress() Progress {
	r := &q.requester
	return Progress{
		Una:      r.una,
		Next:     r.next,
		High:     r.high,
		End:      r.end,
		All:      len(r.source.work) == 0,
		Acked:    r.payloadBefore(r.una),
		Sent:     r.payloadBefore(r.next),
		Done:     r.done(),
		Status:   r.status,
		Timeouts: q.counters.Retries,
		Gaps:     q.counters.ReceivedSeqErr,
	}
}

// payloadBefore is the payload before a packet that is not behind those begun, nor before una.
func (r *requester) payloadBefore(packet int64) unit.Bytes {
	if packet >= r.end {
		return unit.Bytes(r.payload)
	}
	m := r.holding(packet)
	return unit.Bytes(m.before + min(m.payload(), uint64(packet-m.from)*uint64(r.config.MTU)))
}
