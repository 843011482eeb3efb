package nicd

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
)

// sendAck acknowledges all that came in order. Its extension tells of the
// newest accepted packet, of which alone a coalesced ACK speaks.
func (n *NIC) sendAck(r *receiver) {
	f := n.answerFrame(r, r.sequence.expected-1, wire.SyndromeACK)
	if s := r.signal.signal; s != nil {
		s.fillAck(f, &r.feedback)
	}
	r.acks.sent()
	r.record.ACKs++
	n.port.queue(n.classOf(f), answer{f, r.finisher, r.received})
}

// sendNAK reports a PSN sequence error: the expected packet is missing.
func (n *NIC) sendNAK(r *receiver) {
	f := n.answerFrame(r, r.sequence.expected, wire.SyndromeNAKSequence)
	f.SetExtension(wire.ExtNone)
	r.record.NAKs++
	n.port.queue(n.classOf(f), answer{frame: f})
}

// answerFrame makes an ACK or NAK. It is not ECN-capable; it goes in the
// class of CNPs or, with AckWithData, in that of the data.
func (n *NIC) answerFrame(r *receiver, packet int64, syndrome uint8) *wire.Frame {
	f := newFrame(n.out, &r.ack)
	f.PSN = r.sequence.psn(packet)
	f.MSN = r.sequence.msn
	f.Syndrome = syndrome
	if n.profile.AckWithData {
		f.TOS = r.tos &^ wire.ECNMask
	}
	return f
}

// sendCNP sends a congestion notification (RoCEv2, IBA volume 1 annex 17,
// A17.9.3): to the QP that sends, with BECN, PSN 0, and never ECN-capable. It
// answers the marked packet data, whose RTT goes into its reserved bytes where
// the algorithm asks for that.
func (n *NIC) sendCNP(r *receiver, data *wire.Frame) {
	f := n.out.New()
	rare := f.Rare
	*f = r.ack
	f.Opcode = wire.CNP
	f.Notify = wire.BECN
	f.SetExtension(wire.ExtNone)
	if r.signals.RTTInCNP && data.Extension() == wire.ExtTimestamp {
		f.Rare = rareWithRTT(rare, data.ExtA&rttMask)
	} else {
		f.Rare = nil
	}
	r.record.CNPs++
	n.port.queue(n.classOf(f), answer{frame: f})
}

// flush sends the ACK that coalescing held back.
func (n *NIC) flush(r *receiver, now unit.Time) {
	c := &r.acks
	switch {
	case !c.timer.Fired(now) || !c.held():
	case now < c.at:
		n.arm(&c.timer, c.at, jobFlush, r.index)
	default:
		n.sendAck(r)
	}
}
