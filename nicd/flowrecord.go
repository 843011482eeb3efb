package nicd

import (
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// endAt returns the end of a flow behind a QP, nil if there is none.
func endAt(n *NIC, qp uint32) *qp {
	if i := qp - FirstQP; uint64(i) < uint64(len(n.qps)) {
		return &n.qps[i]
	}
	return nil
}

// SenderRecord returns the record of the flow that QP qp sends, nil if it
// sends none.
func (n *NIC) SenderRecord(qp uint32) *record.Sender {
	end := endAt(n, qp)
	if end == nil {
		return nil
	}
	switch end := end.end.(type) {
	case *sender:
		return &end.record
	case *plannedSender:
		fresh := newSenderRecord(n.source.Sender(qp))
		return &fresh
	case *endedSender:
		return &end.record
	}
	return nil
}

// ReceiverRecord returns the record of the flow that QP qp receives, nil if
// it receives none.
func (n *NIC) ReceiverRecord(qp uint32) *record.Receiver {
	end := endAt(n, qp)
	if end == nil {
		return nil
	}
	switch end := end.end.(type) {
	case *receiver:
		return &end.record
	case *plannedReceiver:
		fresh := newReceiverRecord(n.source.Receiver(qp))
		return &fresh
	case *endedReceiver:
		return &end.record
	}
	return nil
}

// Acked is the payload that was acknowledged of the flow that QP qp of a NIC sends, 0 if it sends none.
func Acked(n *NIC, qp uint32) unit.Bytes {
	end := endAt(n, qp)
	if end == nil {
		return 0
	}
	switch end := end.end.(type) {
	case *sender:
		return end.record.Acked
	case *endedSender:
		return end.record.Acked
	}
	return 0
}

// SenderOver returns the flow that QP qp sends over time, except its progress: the time in each state from its start
// until it ended, at the latest until a past instant; its states and its algorithm's reported values up to then, nil if
// they are not recorded. Series are the NIC's own: they grow if it goes on.
func (n *NIC) SenderOver(qp uint32, until unit.Time) (over record.SenderOver) {
	end := endAt(n, qp)
	switch resting := end.end.(type) {
	case *plannedSender: // it is not made for this: a run that was interrupted may have a million
		over.Sends = record.NewSendMeter(n.recording.Sends).Until(until)
		return over
	case *endedSender:
		over.Spent = resting.record.Spent
		over.Sends, over.Values = resting.over.until(n, until)
		return over
	}
	flow := end.send()
	over.Spent = flow.clocks.at(until, flow.due())
	over.Sends = flow.clocks.sends(until, flow.due())
	over.Values = valuesUntil(n, flow.values, until)
	return over
}

// valuesUntil returns the values of a meter, nil of none.
func valuesUntil(n *NIC, meter *record.ValuesMeter, until unit.Time) *record.Values {
	if meter == nil {
		return nil
	}
	return meter.Until(until, n.recording.Values)
}
