package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// acknowledge takes an ACK or a NAK. An ACK acknowledges its PSN and all
// before it, a NAK for a PSN sequence error all before its PSN (IBA volume 1,
// 9.7.5). PSNs that were never sent are ignored, other syndromes dropped: no
// peer of rocelab makes them.
func (n *NIC) acknowledge(q *sender, now unit.Time, f *wire.Frame) {
	to := packetOf(q.firstPSN, f.PSN, q.una)
	nak := f.Syndrome == wire.SyndromeNAKSequence
	switch {
	case nak:
		q.record.NAKs++
	case f.Syndrome>>5 == 0:
		q.record.Acks++
		to++
	default:
		n.drop(now, fabric.DropUnknownQP, f)
		return
	}
	if to > q.high || nak && (to < q.una || to == q.high) {
		n.out.Free(f)
		return
	}
	q.signal.readAck(f)
	n.out.Free(f)
	before := q.acked
	rtt := n.advance(q, to, now)
	switch {
	case nak:
		q.goBack(to)
		n.tell(q, cc.EventNak, now, q.acked-before, 0)
	case q.signals.Acks:
		n.tell(q, cc.EventAck, now, q.acked-before, rtt)
	case rtt > 0:
		q.rtt = rtt // for data that carry it
	}
	if q.running {
		n.finish(q, now)
		n.place(q, now)
	}
	if q.steps != nil && q.acked > before {
		n.messagesAcked(q, now)
	}
}

// advance takes all packets before to for acknowledged and returns the round
// trip of the newest by the NIC's timer, 0 where it gives no sample: a packet
// was sent twice, or an out-of-order receiver held the ACK back for a gap.
func (n *NIC) advance(q *sender, to int64, now unit.Time) unit.Duration {
	if to <= q.una {
		return 0
	}
	rtt := unit.Duration(0)
	if q.una >= q.clean && !(q.outOfOrder && to-q.una > int64(q.ackEvery)) {
		rtt = now.Sub(q.starts[(to-1)&int64(len(q.starts)-1)])
		q.record.RTT.Add(rtt)
		if to > q.sampled {
			q.record.Sampled.Add(rtt)
			q.sampled = q.high
		}
	}
	offset := q.layout.offset(to)
	q.record.Acked += offset - q.acked
	q.record.Rate.Add(now, int64(offset-q.acked))
	q.una, q.acked = to, offset
	if q.cursor.packet < to { // went back for what had arrived after all
		q.cursor = q.layout.at(to)
	}
	if q.repair < to {
		q.repair = -1
	}
	q.rtoBase = now
	if rtt > 0 {
		if rto := n.rtoAfter(rtt); rto != q.rto {
			n.setRTO(q, rto)
		}
	}
	return rtt
}

// goBack sends packet to, and in go-back-N all after it, again. Which of the
// two follows from the receiver's mode, which is one for the whole fabric: the
// sender reads its own NIC's profile.
func (q *sender) goBack(to int64) {
	if q.outOfOrder {
		q.repair = to
		q.clean = max(q.clean, to+1)
		return
	}
	q.rewind(to)
}

func (q *sender) rewind(to int64) {
	if q.cursor.packet > to {
		q.cursor = q.layout.at(to)
		q.clean = q.high
	}
}

// rtoAfter returns the retransmission timeout, max(RTOFloor, RTOFactor x RTT)
// with the newest RTT, not smoothed: the floor is far above what one sample
// could do harm to.
func (n *NIC) rtoAfter(rtt unit.Duration) unit.Duration {
	return max(n.profile.RTOFloor, unit.Duration(n.profile.RTOFactor)*rtt)
}

func (n *NIC) setRTO(q *sender, rto unit.Duration) {
	q.rto = rto
	if q.rtoTimer.Pending() {
		n.arm(&q.rtoTimer, q.rtoBase.Add(rto), jobRTO, q.index)
	}
}

// timeout is the retransmission timer's event. It is not touched for each
// packet: it looks at the deadline when it fires. On expiry the QP goes back
// to the oldest unacknowledged packet, in out-of-order mode too, since nothing
// is known of the others any more. There is no backoff.
func (n *NIC) timeout(q *sender, now unit.Time) {
	if !q.rtoTimer.Fired(now) || !q.running || q.una == q.cursor.packet {
		return
	}
	if deadline := q.rtoBase.Add(q.rto); now < deadline {
		n.arm(&q.rtoTimer, deadline, jobRTO, q.index)
		return
	}
	q.record.Timeouts++
	q.repair = -1
	q.rewind(q.una)
	n.tell(q, cc.EventTimeout, now, 0, 0)
	n.place(q, now)
}
