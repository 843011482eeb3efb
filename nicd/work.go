package nicd

import "github.com/rocelab/rocelab/plugins/cc/unit"

// work is a NIC's work on each message of a QP before its first packet may leave: the work request is fetched, which
// takes latency, simultaneously for several messages; then it is worked on, which takes cost, while the message before
// it leaves. Resent packets cost nothing.
type work struct {
	latency, cost unit.Duration
	// message is the newest that was worked on, -1 for none, done when that ends.
	message int64
	done    unit.Time
	// begun is the departure of the first packet of the newest message that was begun.
	begun unit.Time
}

// newWork returns the work on a QP's messages, nil if it takes no time.
func newWork(latency, cost unit.Duration) *work {
	if latency == 0 && cost == 0 {
		return nil
	}
	return &work{latency: latency, cost: cost, message: -1}
}

// of returns when the first packet may leave of a message that might be sent from ready on.
func (w *work) of(message int64, ready unit.Time) unit.Time {
	if message > w.message {
		w.message = message
		w.done = max(ready.Add(w.latency), w.begun).Add(w.cost)
	}
	return w.done
}

// awaitWork holds the flow's next packet back if it is the first of a message that needs the NIC's work.
func (q *sender) awaitWork() {
	r := &q.reliability
	if next := &r.next; next.packet != r.high || next.from != next.start || next.packet >= r.open {
		return
	}
	message, ready := r.next.packet/r.layout.packetsPerMessage, q.record.Started
	if q.messages.wait() {
		ready = q.record.Messages[message].Ready
	}
	q.pacer.hold(q.messages.work.of(message, ready))
}

// worked notes that the packet at cursor leaves, and holds the next one back if need be.
func (q *sender) worked(cursor *cursor, now unit.Time, resent bool) {
	if cursor.from == cursor.start && !resent {
		q.messages.work.begun = now
	}
	q.awaitWork()
}
