package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// messages are a flow's messages that wait for others: what each waits for, and how
// far they came. A flow whose messages do not wait has the zero value.
//
// admit is called when the message of waiter may be sent, and
// acknowledged with each progress; both note it in the flow's record.
type messages struct {
	// after are the dependencies of each message, nil if none waits; rank is the index of the rank that they belong to.
	after [][]Await
	rank  int
	// waiter is the next message, while it waits.
	waiter waiter
	// complete counts the messages that are acknowledged.
	complete int
	// work is the NIC's on each message, nil if it takes no time.
	work *work
	// laps are the record's, nil if nothing is recorded.
	laps *record.MessageLaps
}

// newMessages returns the messages of a flow, for its sender at a rank, and makes room for
// them in its record.
func newMessages(after [][]Await, rank int, flow *sender, rec *record.Sender) messages {
	if after == nil {
		return messages{}
	}
	rec.Messages = make([]record.Message, 0, len(after))
	if flow.clocks.meter != nil {
		rec.Laps = new(record.MessageLaps)
	}
	return messages{
		after:  after,
		rank:   rank,
		waiter: waiter{sender: flow},
		laps:   rec.Laps,
	}
}

// wait reports whether the flow's messages wait for others.
func (m *messages) wait() bool { return m.after != nil }

// admit notes that the next message may be sent, since what it waits for at place by has
// happened. It reports whether there is one behind it, which waits from now on.
func (m *messages) admit(by int, now unit.Time, rec *record.Sender) (more bool) {
	if len(rec.Messages) == 0 {
		rec.Started = now
	}
	rec.Messages = append(rec.Messages, record.Message{Ready: now, Completed: unit.Never, By: int32(by)})
	return m.await(len(rec.Messages))
}

// await lets the waiter wait for the Awaits of message i, if there is one.
func (m *messages) await(index int) bool {
	if index >= len(m.after) {
		return false
	}
	m.waiter.after, m.waiter.met = m.after[index], 0
	return true
}

// sent records in the laps that a packet starts for the first time; spent are the clocks at its end.
func (m *messages) sent(cursor *cursor, mtu unit.Bytes, spent *record.Spent) {
	if cursor.from+mtu >= cursor.end {
		m.laps.Sent.Add(spent)
	}
}

// acknowledged notes the messages that are complete now that all packets before
// una are acknowledged; the laps have what the clocks show of repair.
func (m *messages) acknowledged(una, packetsPerMessage int64, now unit.Time, rec *record.Sender, shown *record.Spent) {
	for m.complete < len(rec.Messages) && una >= int64(m.complete+1)*packetsPerMessage {
		rec.Messages[m.complete].Completed = now
		if m.laps != nil {
			m.laps.Acked.Add(&record.Spent{
				record.Repairing: shown[record.Repairing],
				record.NoRoute:   shown[record.NoRoute],
			})
		}
		m.complete++
	}
}
