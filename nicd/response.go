package nicd

import (
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sendAck acknowledges all that came in order. Its extension describes the
// newest accepted packet alone, also in a coalesced ACK.
func (n *NIC) sendAck(flow *receiver) {
	frame := n.newResponse(flow, flow.sequence.expected-1, wire.SyndromeACK)
	if s := flow.signal.signal; s != nil {
		s.fillAck(frame, &flow.feedback)
		if flow.late != nil {
			n.remote.late.acks = append(n.remote.late.acks, lateAck{frame, flow.late})
		}
	}
	flow.acks.sent()
	flow.record.ACKs++
	n.port.queue(n.classOf(frame), response{frame, flow.finisher, flow.arrivalClock})
}

// acknowledgeNow acknowledges because of the given packet. While a gap is open a selective receiver reports what it
// keeps beyond: in place of the ACK, or before one that carries the algorithm's extension, since a frame
// carries one.
func acknowledgeNow(n *NIC, flow *receiver, packet int64) {
	if flow.sequence.selective && flow.sequence.reorder.kept > 0 {
		sendReport(n, flow, packet)
		if flow.signal.inAck == wire.ExtNone {
			return
		}
	}
	n.sendAck(flow)
}

// sendReport sends an ACK that reports what the receiver keeps once the given packet came.
func sendReport(n *NIC, flow *receiver, packet int64) {
	frame := n.newResponse(flow, flow.sequence.expected-1, wire.SyndromeACK)
	frame.SetExtension(wire.ExtSelective)
	first, bits := flow.sequence.block(packet)
	frame.ExtA, frame.ExtTime = flow.sequence.psn(first), bits
	flow.acks.sent()
	flow.record.ACKs++
	n.port.queue(n.classOf(frame), response{frame: frame})
}

// sendNAK reports a PSN sequence error: the expected packet is missing.
func (n *NIC) sendNAK(flow *receiver) {
	flow.gaps.reported(flow.sequence.nakAt)
	flow.reject(n, wire.SyndromeNAKSequence)
}

// reject reports the fault of the expected packet by its syndrome: it is missing, or refused.
func (q *receiver) reject(nic *NIC, syndrome uint8) {
	frame := nic.newResponse(q, q.sequence.expected, syndrome)
	frame.SetExtension(wire.ExtNone)
	q.record.NAKs++
	nic.port.queue(nic.classOf(frame), response{frame: frame})
}

// newResponse makes an ACK or NAK. It is not ECN-capable; it goes in the
// class of CNPs or, with AckWithData, in the data's class.
func (n *NIC) newResponse(flow *receiver, packet int64, syndrome uint8) *wire.Frame {
	frame := newFrame(n.out, &flow.ack)
	frame.PSN = flow.sequence.psn(packet)
	frame.MSN = flow.sequence.msn
	frame.Syndrome = syndrome
	if n.profile.AckWithData {
		frame.TOS = flow.tos &^ wire.ECNMask
	}
	return frame
}

// sendCNP sends a congestion notification (RoCEv2, IBA volume 1 annex 17,
// A17.9.3): to the QP that sends, with BECN, PSN 0, and never ECN-capable. It
// answers the marked packet data, whose RTT goes into its reserved bytes where
// the algorithm asks for that.
func (n *NIC) sendCNP(flow *receiver, data *wire.Frame) {
	frame := n.out.New()
	rare := frame.Rare
	*frame = flow.ack
	frame.Opcode = wire.CNP
	frame.Notify = wire.BECN
	frame.SetExtension(wire.ExtNone)
	if flow.signals.RTTInCNP && data.Extension() == wire.ExtTimestamp {
		frame.SetCNPRTT(data.ExtA&rttMask, rare)
	} else {
		frame.Rare = nil
	}
	flow.record.CNPs++
	n.port.queue(n.classOf(frame), response{frame: frame})
}

// flushAck sends the ACK that coalescing delayed.
func (n *NIC) flushAck(flow *receiver, now unit.Time) {
	if flow == nil {
		return
	}
	defer restReceiver(n, flow)
	c := &flow.acks
	fired := c.timer.Fired(now)
	switch {
	case !fired || !c.pending():
	case now < c.deadline:
		n.arm(&c.timer, c.deadline, jobFlush, flow.index)
	default:
		n.sendAck(flow)
	}
}
