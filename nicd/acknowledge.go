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
	r := &q.reliability
	to := r.packet(f.PSN)
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
	if to > r.high || nak && (to < r.una || to == r.high) {
		n.out.Free(f)
		return
	}
	q.signal.readAck(f)
	n.out.Free(f)
	p := r.acknowledge(to, now)
	if p.bytes > 0 {
		q.record.Acked += p.bytes
		q.record.Rate.Add(now, int64(p.bytes))
		q.retransmission.since = now
	}
	if p.rtt > 0 {
		q.record.RTT.Add(p.rtt)
		if p.perRound {
			q.record.Sampled.Add(p.rtt)
		}
		if t := &q.retransmission; t.sampled(p.rtt) && t.timer.Pending() {
			n.arm(&t.timer, t.deadline(), jobRTO, q.index)
		}
	}
	switch {
	case nak:
		r.goBack(to)
		n.tell(q, cc.EventNak, now, p.bytes, 0)
	case q.signals.Acks:
		n.tell(q, cc.EventAck, now, p.bytes, p.rtt)
	case p.rtt > 0:
		q.rtt = p.rtt // for data that carry it
	}
	if q.running {
		n.finish(q, now)
		n.place(q, now)
	}
	if q.messages.wait() && p.bytes > 0 {
		q.messages.acknowledged(r.una, r.layout.perMessage, now, &q.record)
		if q.waiters.head != nil {
			n.wakeWaiters(&q.waiters, r.una, now)
		}
	}
}

// timeout is the retransmission timer's event. On expiry the QP goes back to the
// oldest unacknowledged packet.
func (n *NIC) timeout(q *sender, now unit.Time) {
	t := &q.retransmission
	if !t.timer.Fired(now) || !q.running || !q.reliability.waiting() {
		return
	}
	if deadline := t.deadline(); now < deadline {
		n.arm(&t.timer, deadline, jobRTO, q.index)
		return
	}
	q.record.Timeouts++
	q.reliability.expire()
	n.tell(q, cc.EventTimeout, now, 0, 0)
	n.place(q, now)
}
