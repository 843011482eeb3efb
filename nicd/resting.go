package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// resting is the end of a flow that is not under way. A run may have a million flows, few of them at a time: both ends
// take some 4 KB while the flow is under way, and less than 1 KB before and after. Nothing that a NIC does shows if an
// end rests.
type resting interface {
	// take takes a frame that arrived for the QP at index.
	take(n *NIC, index uint32, now unit.Time, frame *wire.Frame)
	// tell adds the end's counts.
	tell(t *record.Tally)
}

// takeAtRest takes a frame that arrived for the QP at index and is nothing for an end under way.
func takeAtRest(n *NIC, index uint32, now unit.Time, frame *wire.Frame) {
	if resting, ok := n.qps[index].end.(resting); ok {
		resting.take(n, index, now, frame)
	} else {
		n.drop(now, fabric.DropUnknownQP, frame)
	}
}

// spare are ends of flows that have ended, for the ends of others that begin: else garbage would be most of the memory.
type spare struct {
	sender   *sender // the first of a list
	receiver *receiver
}

// takeSender returns room for a sending end.
func (s *spare) takeSender() *sender {
	flow := s.sender
	if flow == nil {
		return new(sender)
	}
	s.sender = flow.next
	return flow
}

// takeReceiver returns room for a receiving end.
func (s *spare) takeReceiver() *receiver {
	flow := s.receiver
	if flow == nil {
		return new(receiver)
	}
	s.receiver = flow.next
	return flow
}

// plannedSender is a sending end that has not begun.
type plannedSender struct{ algorithm cc.Sender }

// sending returns the sending end behind the QP at index, which is made if the flow has not begun; nil if it ended.
func sending(n *NIC, index uint32) *sender {
	end := &n.qps[index]
	if p, planned := end.end.(*plannedSender); planned {
		end.end = newSender(n, index, senderConfig(n, index), p.algorithm)
	}
	return end.send()
}

// take takes an ACK or a CNP, both of which come too early.
func (*plannedSender) take(n *NIC, index uint32, now unit.Time, frame *wire.Frame) {
	switch frame.Opcode {
	case wire.Acknowledge:
		n.acknowledge(sending(n, index), now, frame)
	case wire.CNP:
		n.receiveCNP(sending(n, index), now, frame)
		n.out.Free(frame)
	default:
		n.drop(now, fabric.DropUnknownQP, frame)
	}
}

func (*plannedSender) tell(*record.Tally) {}

// endedSender is a sending end with all of its data acknowledged.
type endedSender struct {
	record  record.Sender
	payload unit.Bytes
	over    *restingMeters // nil if there are none
}

// restingMeters count an ended flow over time.
type restingMeters struct {
	sends  *record.SendMeter
	values *record.ValuesMeter
}

// until returns what they counted. Nil meters counted nothing.
func (m *restingMeters) until(n *NIC, until unit.Time) (sends *record.SendSeries, values *record.Values) {
	if m == nil {
		return nil, nil
	}
	return m.sends.Until(until), valuesUntil(n, m.values, until)
}

// restSender lets a sending end rest if all of its flow is acknowledged, and the algorithm's last decision is in force.
// Ends at a NIC with ranks do not: others wait for their messages.
func restSender(n *NIC, flow *sender) {
	waits := flow.running || flow.decisions.posted > 0 || !flow.reliability.ended()
	if waits || n.qps[flow.index].end != flow || flow.faulty || len(n.ranks) > 0 || n.completion.restless {
		return
	}
	ended := &endedSender{record: flow.record, payload: flow.payload}
	if flow.clocks.meter != nil || flow.values != nil {
		ended.over = &restingMeters{flow.clocks.meter, flow.values}
	}
	ended.record.Spent = flow.clocks.spent
	ended.record.Trim()
	n.qps[flow.index].end = ended
	if flow.state != queued && flow.identity.carrier == nil { // else the port's list or its connection still has it
		flow.next, n.spare.sender = n.spare.sender, flow
	}
}

// take counts an ACK, a NAK or a CNP that comes late.
func (e *endedSender) take(n *NIC, index uint32, now unit.Time, frame *wire.Frame) {
	if e.count(n, index, now, frame) {
		n.out.Free(frame)
	} else {
		n.drop(now, fabric.DropUnknownQP, frame)
	}
}

// count counts one, and reports whether the frame is one.
func (e *endedSender) count(n *NIC, index uint32, now unit.Time, frame *wire.Frame) bool {
	switch {
	case frame.Opcode == wire.CNP:
		config := senderConfig(n, index)
		e.record.Own()
		countCNP(&e.record, n.meterOf(config.Series), now)
		if config.Controller.Signals().RateInCNP {
			countRate(&e.record, frame)
		}
	case frame.Opcode == wire.Acknowledge && frame.Syndrome == wire.SyndromeNAKSequence:
		e.record.Own()
		e.record.NAKs++
		turned(n.meterOf(senderConfig(n, index).Series), now).NAKs++
	case frame.Opcode == wire.Acknowledge && frame.Syndrome>>5 == 0:
		e.record.Acks++
	default:
		return false
	}
	return true
}

func (e *endedSender) tell(t *record.Tally) { tellSent(t, &e.record, e.payload) }

// rouse makes all ends that have not begun.
func rouse(n *NIC) {
	for i := range n.qps {
		switch n.qps[i].end.(type) {
		case *plannedSender:
			sending(n, uint32(i))
		case *plannedReceiver:
			receiving(n, uint32(i))
		}
	}
}
