package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// plannedReceiver is a receiving end without any packets yet.
type plannedReceiver struct{ algorithm cc.Receiver }

// endedReceiver is a receiving end that has received all of its flow, in order, and whose flow the controller has
// withdrawn. A duplicate makes it full for as long as it takes to answer; a packet beyond the end, which a foreign
// sender may send, from then on.
type endedReceiver struct {
	record record.Receiver
	msn    uint32
	tos    uint8
	rare   *restingRare // nil if there is nothing in it
}

// restingRare has the parts of a flow that has ended for its CNPs, and for its signal and its algorithm, nil without.
type restingRare struct {
	nextCNP unit.Time
	signal  *restingSignal
}

// restingSignal has those for its signal and its algorithm.
type restingSignal struct {
	signal       flowSignal
	feedback     cc.Feedback
	arrivalClock int64
	algorithm    cc.Receiver
	group        membership
}

// receiving returns the receiving end behind the QP at index, which is made if it rests.
func receiving(n *NIC, index uint32) *receiver {
	end := &n.qps[index]
	switch resting := end.end.(type) {
	case *plannedReceiver:
		config := receiverConfig(n, index)
		flow := newReceiver(n, index, config, resting.algorithm)
		flow.gaps = newGaps(config.Start, config.Outages)
		end.end = flow
	case *endedReceiver:
		end.end = resting.resume(n, index)
	}
	return end.recv()
}

// newReceiverRecord returns the record of a flow without any packets yet.
func newReceiverRecord(config *ReceiverConfig) record.Receiver {
	r := *record.NewReceiver()
	if config.Outages != nil {
		r.Gaps = make([]record.Gap, len(config.Outages))
	}
	return r
}

// resume makes the end again as it was.
func (e *endedReceiver) resume(n *NIC, index uint32) *receiver {
	flow := newReceiver(n, index, receiverConfig(n, index), nil)
	flow.record, flow.tos = e.record, e.tos
	flow.record.Own()
	flow.sequence.expected, flow.sequence.msn = flow.layout.packets(), e.msn
	flow.group = membership{withdrawn: true}
	if e.rare == nil {
		return flow
	}
	flow.notifier.next = e.rare.nextCNP
	if s := e.rare.signal; s != nil {
		flow.signal, flow.feedback, flow.arrivalClock = s.signal, s.feedback, s.arrivalClock
		flow.finisher, _ = flow.signal.signal.(finisher)
		flow.algorithm, flow.group = s.algorithm, s.group
	}
	return flow
}

// restReceiver lets a receiving end rest that would do no more by itself. Ends at a NIC with ranks do not: others wait
// for their messages.
func restReceiver(n *NIC, flow *receiver) {
	if n.qps[flow.index].end != flow || !flow.mayRest() || len(n.ranks) > 0 || n.completion.restless {
		return
	}
	if flow.late != nil {
		fillLate(n)
	}
	ended := &endedReceiver{record: flow.record, msn: flow.sequence.msn, tos: flow.tos}
	ended.record.Trim()
	if flow.notifier.next != 0 {
		ended.rare = &restingRare{nextCNP: flow.notifier.next}
	}
	if flow.signal.signal != nil || flow.algorithm != nil {
		ended.rare = &restingRare{flow.notifier.next, &restingSignal{
			signal:       flow.signal,
			feedback:     flow.feedback,
			arrivalClock: flow.arrivalClock,
			algorithm:    flow.algorithm,
			group:        flow.group,
		}}
	}
	n.qps[flow.index].end = ended
	flow.next, n.spare.receiver = n.spare.receiver, flow
}

// mayRest reports whether all of the flow came, nothing is on its way, and endedReceiver has room for the rest.
func (q *receiver) mayRest() bool {
	s := &q.sequence
	return q.layout.size != 0 && q.group.withdrawn && !q.group.active && !q.group.timer.Pending() &&
		s.expected == q.layout.packets() && s.reorder.kept == 0 && s.nakFor != s.expected && s.refused <= s.expected &&
		s.since == unit.Never && !s.timer.Pending() &&
		q.acks.unacked == 0 && !q.acks.timer.Pending() &&
		!q.responder.error && q.responder.host == nil && q.responder.under == between && q.gaps == nil
}

// withdraw takes the controller's announcement that the flow to the QP at index ended.
func withdraw(n *NIC, index uint32) {
	if _, ended := n.qps[index].end.(*endedReceiver); ended {
		return
	}
	flow := receiving(n, index)
	n.census.withdrawFlow(&flow.group)
	restReceiver(n, flow)
}

func (*plannedReceiver) take(n *NIC, index uint32, now unit.Time, frame *wire.Frame) {
	takeRequest(n, index, now, frame)
}

func (*endedReceiver) take(n *NIC, index uint32, now unit.Time, frame *wire.Frame) {
	takeRequest(n, index, now, frame)
	if flow := n.qps[index].recv(); flow != nil {
		restReceiver(n, flow)
	}
}

// takeRequest takes a request for a receiving end that rests.
func takeRequest(n *NIC, index uint32, now unit.Time, frame *wire.Frame) {
	if requests[frame.Opcode].isRequest {
		n.receive(receiving(n, index), now, frame)
	} else {
		n.drop(now, fabric.DropUnknownQP, frame)
	}
}

func (*plannedReceiver) tell(*record.Tally) {}

func (e *endedReceiver) tell(t *record.Tally) { tellReceived(t, &e.record) }
