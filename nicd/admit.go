package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
)

// admit lets the next message of a flow be sent: all that it waited for has
// happened. The messages behind it follow as far as nothing holds them.
func (n *NIC) admit(q *sender, now unit.Time) {
	if len(q.record.Messages) == 0 {
		q.record.Started = now
	}
	q.record.Messages = append(q.record.Messages, record.Message{Ready: now, Completed: unit.Never})
	q.open += q.layout.perMessage
	if k := len(q.record.Messages); k < len(q.steps) {
		q.waiter.after, q.waiter.met = q.steps[k], 0
		n.proceed(&q.waiter, now)
	}
	n.place(q, now)
}

// messagesAcked notes the messages that an ACK completed, and lets those go on
// that waited for them.
func (n *NIC) messagesAcked(q *sender, now unit.Time) {
	for q.complete < len(q.record.Messages) && q.una >= int64(q.complete+1)*q.layout.perMessage {
		q.record.Messages[q.complete].Completed = now
		q.complete++
	}
	if q.waiters.head != nil {
		n.wakeWaiters(&q.waiters, q.una, now)
	}
}
