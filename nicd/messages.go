package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// messages are those of a flow whose messages wait for others: what each waits
// for, and how far they came. Of any other flow it is the zero value.
//
// admit is called when the message that waiter stands for may be sent, and
// acknowledged with each progress; both note it in the flow's record.
type messages struct {
	// after is what each message waits for, nil where none waits; rank is the
	// place of the rank that they belong to.
	after [][]Await
	rank  int
	// waiter is the next message, while it waits.
	waiter waiter
	// complete counts the messages that are acknowledged.
	complete int
}

// newMessages returns the messages of the flow that s sends, and makes room for
// them in its record.
func newMessages(after [][]Await, rank int, s *sender, r *record.Sender) messages {
	if after == nil {
		return messages{}
	}
	r.Messages = make([]record.Message, 0, len(after))
	return messages{
		after:  after,
		rank:   rank,
		waiter: waiter{sender: s},
	}
}

// wait reports whether the flow's messages wait for others.
func (m *messages) wait() bool { return m.after != nil }

// admit notes that the next message may be sent. It reports whether there is one
// behind it, which waits from now on.
func (m *messages) admit(now unit.Time, r *record.Sender) (more bool) {
	if len(r.Messages) == 0 {
		r.Started = now
	}
	r.Messages = append(r.Messages, record.Message{Ready: now, Completed: unit.Never})
	return m.look(len(r.Messages))
}

// look has the waiter wait for what message i does, if there is one.
func (m *messages) look(i int) bool {
	if i >= len(m.after) {
		return false
	}
	m.waiter.after, m.waiter.met = m.after[i], 0
	return true
}

// acknowledged notes the messages that are complete now that all packets before
// una are acknowledged.
func (m *messages) acknowledged(una, perMessage int64, now unit.Time, r *record.Sender) {
	for m.complete < len(r.Messages) && una >= int64(m.complete+1)*perMessage {
		r.Messages[m.complete].Completed = now
		m.complete++
	}
}
