package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// acknowledge takes an ACK or a NAK. An ACK acknowledges its PSN and all
// before it, a NAK for a PSN sequence error all before its PSN (IBA volume 1,
// 9.7.5). PSNs that were never sent are ignored, other syndromes dropped: no
// peer of rocelab makes them.
func (n *NIC) acknowledge(flow *sender, now unit.Time, frame *wire.Frame) {
	account := &flow.reliability
	to := account.packet(frame.PSN)
	nak := frame.Syndrome == wire.SyndromeNAKSequence
	switch {
	case nak:
		flow.record.NAKs++
		flow.meterAt(now).NAKs++
	case frame.Syndrome>>5 == 0:
		flow.record.Acks++
		to++
	default:
		n.drop(now, fabric.DropUnknownQP, frame)
		return
	}
	if to > account.high || nak && (to < account.una || to == account.high) {
		n.out.Free(frame)
		return
	}
	repair := nak || flow.clocks.wait == record.Repairing
	if repair {
		flow.settle(now)
	}
	flow.signal.readAck(frame)
	if account.board != nil {
		repair = true
		takeReport(flow, now, frame, to)
	}
	n.out.Free(frame)
	if flow.signal.details.asked {
		flow.signal.details.acked(account, to)
	}
	progress := account.acknowledge(to, now)
	if account.board != nil {
		progress.rtt, progress.perRound = account.board.newRTT, account.board.perRound
	}
	if progress.bytes > 0 {
		flow.record.Acked += progress.bytes
		flow.meterAt(now).Acked += uint64(progress.bytes)
		t := &flow.retransmission
		if t.since = now; t.watches {
			progressed(n, flow, now, progress.bytes, nak)
		}
	}
	if progress.rtt > 0 {
		flow.record.RTT.Add(progress.rtt)
		if progress.perRound {
			flow.record.Sampled.Add(progress.rtt)
			flow.record.Swing.Add(progress.rtt)
		}
		if t := &flow.retransmission; t.sampled(progress.rtt) && t.timer.Pending() {
			n.arm(&t.timer, t.deadline(), jobRTO, flow.index)
		}
	}
	switch {
	case account.board != nil:
		hear(n, flow, now, progress.rtt, nak)
	case nak:
		flow.retransmission.resumes.turnedBack(now, false)
		notifyLoss(n, flow, cc.LossNak, account.goBack(to), now)
		n.notifyAlgorithm(flow, cc.EventNak, now, progress.bytes, 0)
	case flow.signals.Acks:
		n.notifyAlgorithm(flow, cc.EventAck, now, progress.bytes, progress.rtt)
	case progress.rtt > 0:
		flow.rtt = progress.rtt // for data that carry it
	}
	if flow.running {
		n.finish(flow, now)
		n.reschedule(flow, now)
		if repair {
			flow.account(&n.port, now, flow.state)
		}
	}
	if flow.messages.wait() && progress.bytes > 0 {
		flow.messages.acknowledged(account.una, account.layout.packetsPerMessage, now, &flow.record,
			&flow.clocks.spent)
		if flow.waiters.head != nil {
			n.wakeWaiters(&flow.waiters, account.una, now)
		}
	}
}

// progressed takes an ACK or a NAK of something new for what depends on it: a timer, a restart, the records of outages.
func progressed(n *NIC, flow *sender, now unit.Time, bytes unit.Bytes, nak bool) {
	watchProgress(n, flow)
	if !nak { // which says what had come before it was made
		flow.retransmission.resumes.progressed(now, flow.record.Resumes)
	}
	if r := flow.decisions.restart; r != nil && r.acknowledged(bytes) {
		reapply(n, flow, now)
	}
}

// watchProgress takes progress for a timeout that depends on it.
func watchProgress(n *NIC, flow *sender) {
	t := &flow.retransmission
	if t.watches && t.progressed(flow.reliability.onTheWay()) && t.timer.Pending() {
		n.arm(&t.timer, t.deadline(), jobRTO, flow.index)
	}
}

// timeout is the retransmission timer's event. On expiry the QP goes back to the
// oldest unacknowledged packet, or is in error if it tried too often: then it sends nothing more.
func (n *NIC) timeout(flow *sender, now unit.Time) {
	if flow == nil || !flow.retransmission.timer.Fired(now) || !flow.running || !flow.reliability.waiting() {
		return
	}
	t := &flow.retransmission
	t.count(flow.reliability.onTheWay())
	if deadline := t.deadline(); now < deadline {
		n.arm(&t.timer, deadline, jobRTO, flow.index)
		return
	}
	if flow.state == idle { // what was waited for since the last progress was lost
		flow.settle(t.since)
		flow.clocks.wait = record.Repairing
	}
	flow.settle(now)
	flow.record.Timeouts++
	flow.meterAt(now).Timeouts++
	if t.expired(now) {
		flow.record.Failed = now
		endFlow(n, flow, now)
		return
	}
	t.resumes.turnedBack(now, true)
	notifyLoss(n, flow, cc.LossTimeout, flow.reliability.expire(), now)
	n.notifyAlgorithm(flow, cc.EventTimeout, now, 0, 0)
	n.reschedule(flow, now)
	flow.account(&n.port, now, flow.state)
}
