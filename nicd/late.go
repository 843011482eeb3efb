package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// late holds the answers to data packets that come from another process, so that the NIC does not wait for them.
// Feedback decides only some bytes of an ACK's extension, and no one reads an ACK in the window in which it leaves. So
// ACKs leave at their times, and are filled in at the window's end, when all answers come in one exchange.
type late struct {
	answers [mostLate]lateAnswer
	pending int
	acks    []lateAck
	held    fabric.Held
}

// mostLate bounds the answers that are late.
const mostLate = 64

// lateAnswer is the answer to a data packet that came at at.
type lateAnswer struct {
	flow     *receiver
	asked    askedReceiver
	at       unit.Time
	feedback cc.Feedback
}

// lateAck is an ACK that waits for an answer.
type lateAck struct {
	frame  *wire.Frame
	answer *lateAnswer
}

var _ fabric.Answers = (*late)(nil)

// Exchange implements fabric.Answers.
func (l *late) Exchange() {
	for i := range l.answers[:l.pending] {
		l.answers[i].asked.Exchange()
	}
}

// askLate shows the flow's algorithm a data packet without waiting for its answer, if no one would see that.
func askLate(n *NIC, flow *receiver, algorithm askedReceiver, arrival *cc.Arrival) {
	if !n.out.MayHold() {
		algorithm.Ask(arrival, &flow.feedback)
		n.out.Await(algorithm)
		return
	}
	if n.remote.late == nil {
		n.remote.late = new(late)
	}
	l := n.remote.late
	if l.pending == mostLate {
		fillLate(n)
	}
	if l.pending == 0 {
		n.out.Hold(&l.held)
	}
	flow.late = &l.answers[l.pending]
	*flow.late = lateAnswer{flow: flow, asked: algorithm, at: arrival.Now, feedback: flow.feedback}
	l.pending++
	algorithm.Ask(arrival, &flow.late.feedback)
}

// fillLate waits for the answers that are late, and fills in the ACKs.
func fillLate(n *NIC) {
	l := n.remote.late
	if l == nil || l.pending == 0 {
		return
	}
	n.out.Await(l)
	for i := range l.answers[:l.pending] {
		a := &l.answers[i]
		a.flow.feedback, a.flow.late = a.feedback, nil
		if a.feedback.BaseRate < 0 {
			n.recordReceiverFault(a.flow, a.at)
			a.feedback = a.flow.feedback
		}
	}
	for _, ack := range l.acks {
		ack.answer.flow.signal.signal.fillFeedback(ack.frame, &ack.answer.feedback)
	}
	clear(l.acks)
	clear(l.answers[:l.pending])
	l.acks, l.pending = l.acks[:0], 0
	n.out.Release()
}
