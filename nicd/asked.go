package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc"
)

// askedSender is a flow's algorithm at the sender that runs in another process. Other NICs that ask it in the same
// window have their answers in the same exchange, see fabric.Round.
type askedSender interface {
	fabric.Answers
	// Ask has an event handled, which is over when Exchange returns: then decision is the algorithm's. values take the
	// sender's values before the event; nil if they are not wanted.
	Ask(event *cc.Event, decision *cc.Decision, values []float64)
}

// askedReceiver is the same at the receiver.
type askedReceiver interface {
	fabric.Answers
	// Ask has a data packet handled, which is over when Exchange returns: then feedback is the algorithm's.
	Ask(arrival *cc.Arrival, feedback *cc.Feedback)
}

// remote is the state of a NIC whose algorithms may run in another process.
type remote struct {
	// asks is set if one of them does.
	asks bool
	late *late // nil before the first answer
}

// Asks reports whether algorithms of the NIC may run in another process.
func (n *NIC) Asks() bool { return n.remote.asks }

// handle makes the flow's algorithm handle an event, in any process, and records the values before it if a bin of them
// is over.
func (q *sender) handle(n *NIC, event *cc.Event) {
	due := q.values != nil && event.Now >= q.values.End
	var asked askedSender
	if n.remote.asks {
		asked, _ = q.algorithm.(askedSender)
	}
	if asked == nil {
		if due {
			q.values.Close(event.Now)
		}
		q.algorithm.Handle(event, &q.decisions.latest)
		return
	}
	var values []float64
	if due {
		values = q.values.Room()
	}
	asked.Ask(event, &q.decisions.latest, values)
	n.out.Await(asked)
	if due {
		q.values.Note(event.Now, values)
	}
}

// see shows a data packet to the flow's algorithm, in any process.
func (q *receiver) see(n *NIC, arrival *cc.Arrival) {
	if n.remote.asks {
		if a, ok := q.algorithm.(askedReceiver); ok {
			askLate(n, q, a, arrival)
			return
		}
	}
	q.algorithm.Data(arrival, &q.feedback)
}

// noteAsked notes whether an algorithm runs in another process.
func noteAsked(n *NIC, algorithm any) {
	_, sends := algorithm.(askedSender)
	_, receives := algorithm.(askedReceiver)
	n.remote.asks = n.remote.asks || sends || receives
}
