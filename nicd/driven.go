package nicd

import (
	"slices"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/verbs"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// A connection to a real stack may carry a flow: its requests, WRITEs, SENDs and READs, are the flow's packets. The
// flow's sender then has pacer, decisions and events as any other, and its turn at the port; which packet goes, and
// whether the peer lets it, is the connection's. To the sender that shows in its account, which is brought up to date
// after all that the connection does: one packet is open if the connection has one that may leave.
//
// READs have no payload there, and their responses no pacer: both directions are the requests' only.

// noLimit is the limit of a flow whose number of packets is not known before its last message begins.
const noLimit = 1 << 62

// carry finds the connection that carries a flow, and reports whether there is one.
func carry(n *NIC, flow *sender) bool {
	i := slices.IndexFunc(n.peers, func(e *peerEnd) bool { return e.carries == FirstQP+flow.index })
	if i < 0 {
		return false
	}
	e := n.peers[i]
	e.flow, flow.identity.carrier = flow, e
	flow.reliability = newReliability(flow.reliability.layout, 0, n.profile.AckEvery, false)
	flow.reliability.open, flow.reliability.limit = 0, noLimit
	if e.requestTOS = e.template.TOS; !flow.signals.ECT {
		e.requestTOS &^= wire.ECNMask
	}
	return true
}

// begin starts the requests, with the flow.
func (e *peerEnd) begin(n *NIC, now unit.Time) {
	e.update(now)
	e.flush(n)
}

// update brings the account of the flow up to date.
func (e *peerEnd) update(now unit.Time) verbs.Progress {
	ready := e.verbs.Ready(now)
	p, account := e.verbs.Progress(), &e.flow.reliability
	account.next.packet, account.next.from = p.Next, p.Sent
	account.una, account.high, account.acked = p.Una, p.High, p.Acked
	if account.open = p.Next; ready {
		account.open++
	}
	if p.All {
		account.limit = p.End
	}
	return p
}

// held reports whether the connection, if there is one, has a request that it holds back until an ACK.
func (e *peerEnd) held() bool { return e != nil && e.verbs.Held() }

// send starts the next request, if there still is one.
func (e *peerEnd) send(n *NIC, now unit.Time) {
	flow := e.flow
	account, high := &flow.reliability, flow.reliability.high
	packet := account.next.packet
	body, ok := e.verbs.Pull(now)
	if !ok {
		e.update(now)
		return
	}
	resent := packet < high
	for packet-account.una >= int64(len(account.starts)) {
		account.growStarts(packet)
	}
	if !resent {
		account.starts[packet&int64(len(account.starts)-1)] = now
	}
	e.update(now)
	frame := e.address(n, body, e.requestTOS)
	if flow.asksForAck(packet, resent) {
		frame.AckExt |= wire.AckReq
	}
	if frame.AckExt&wire.AckReq != 0 {
		account.asked = max(account.asked, account.next.packet)
	}
	bytes := n.tx.Accounting().Bytes(frame)
	flow.pacer.started(now, bytes)
	flow.sent += bytes
	flow.payload += unit.Bytes(frame.PayloadLen)
	flow.record.Packets++
	flow.record.WireBytes += bytes
	switch {
	case resent:
		flow.record.Resent++
	case packet == 0:
		flow.record.FirstSent = now
	}
	serial := n.tx.TimeAt(now, frame.Len(), frame)
	n.emit(now, frame, serial, flow.class)
	flow.clocks.sent(serial, n.port.busyUntil, resent)
	e.flush(n)
	if fired, ok := flow.decisions.bytesFired(flow.sent); ok {
		n.notifyFired(flow, cc.EventSent, now, int64(fired))
	}
}

// asksForAck reports whether a packet of a carried flow asks for an ACK for the sake of the flow: as the ackEvery-th
// since the last that did, as one that is sent again, or as the last that the window lets through.
func (q *sender) asksForAck(packet int64, resent bool) bool {
	r := &q.reliability
	return resent || packet-r.asked >= r.ackEvery-1 || r.fills(q.decisions.window)
}

// heard takes what a frame of the peer did to the requests, since before.
func (e *peerEnd) heard(n *NIC, now unit.Time, frame *wire.Frame, fate verbs.Fate, before *verbs.Progress) {
	flow := e.flow
	if !flow.running {
		if ended, ok := n.qps[flow.index].end.(*endedSender); ok {
			ended.count(n, flow.index, now, frame)
		} else {
			e.counted(n, now, frame)
		}
		return
	}
	answer, nak := e.counted(n, now, frame)
	flow.settle(now)
	p := e.update(now)
	rtt := unit.Duration(0)
	if answer && !nak && fate == verbs.Taken && p.Una > before.Una {
		rtt = e.sample(now, before.Una, p.Una)
	}
	bytes := p.Acked - before.Acked
	if bytes > 0 {
		flow.record.Acked += bytes
		flow.meterAt(now).Acked += uint64(bytes)
		flow.retransmission.since = now
		if r := flow.decisions.restart; r != nil && r.acknowledged(bytes) {
			reapply(n, flow, now)
		}
	}
	back := p.Next < before.Next
	if back {
		flow.reliability.wentBack(p.High)
	}
	switch {
	case p.Gaps > before.Gaps:
		notifyLoss(n, flow, cc.LossNak, before.Sent-p.Sent, now)
		n.notifyAlgorithm(flow, cc.EventNak, now, bytes, 0)
	case flow.signals.Acks && (answer && !nak || bytes > 0):
		n.notifyAlgorithm(flow, cc.EventAck, now, bytes, rtt)
	case rtt > 0:
		flow.rtt = rtt
	}
	e.goOn(n, now, &p)
}

// counted counts an ACK, a NAK or a CNP, and passes a CNP to the algorithm.
func (e *peerEnd) counted(n *NIC, now unit.Time, frame *wire.Frame) (answer, nak bool) {
	flow := e.flow
	answer = frame.Opcode == wire.Acknowledge
	nak = answer && frame.Syndrome>>5 != 0
	switch {
	case frame.Opcode == wire.CNP:
		n.receiveCNP(flow, now, frame)
	case nak:
		flow.record.NAKs++
		flow.meterAt(now).NAKs++
	case answer:
		flow.record.Acks++
	}
	return answer, nak
}

// sample takes a sample of the round trip from the ACK that moved una, unless a packet was sent twice; 0 for none.
func (e *peerEnd) sample(now unit.Time, from, una int64) (rtt unit.Duration) {
	account := &e.flow.reliability
	if from < account.clean {
		return 0
	}
	rtt = now.Sub(account.starts[(una-1)&int64(len(account.starts)-1)])
	e.flow.record.RTT.Add(rtt)
	if una > account.sampled {
		account.sampled = account.high
		e.flow.record.Sampled.Add(rtt)
		e.flow.record.Swing.Add(rtt)
	}
	return rtt
}

// wentBack notes that packets before high are sent again.
func (r *reliability) wentBack(high int64) {
	r.clean = max(r.clean, high)
	r.asked = min(r.asked, r.next.packet)
}

// expired takes what the time did to the requests, since before: a timeout, the end of an RNR, the start of work.
func (e *peerEnd) expired(n *NIC, now unit.Time, before *verbs.Progress) {
	flow := e.flow
	if !flow.running {
		return
	}
	timeout := e.verbs.Progress().Timeouts > before.Timeouts
	if timeout && flow.state == idle { // the answer is lost
		flow.settle(flow.retransmission.since)
		flow.clocks.wait = record.Repairing
	}
	flow.settle(now)
	p := e.update(now)
	if timeout {
		flow.record.Timeouts++
		flow.meterAt(now).Timeouts++
		flow.reliability.wentBack(p.High)
		if !p.Done {
			notifyLoss(n, flow, cc.LossTimeout, before.Sent-p.Sent, now)
			n.notifyAlgorithm(flow, cc.EventTimeout, now, 0, 0)
		}
	}
	e.goOn(n, now, &p)
}

// goOn ends the flow if its requests are done, and else lets it go on.
func (e *peerEnd) goOn(n *NIC, now unit.Time, p *verbs.Progress) {
	flow := e.flow
	switch {
	case !flow.running: // its algorithm is at fault
	case p.Done:
		e.end(n, now, p)
	default:
		n.reschedule(flow, now)
		flow.account(&n.port, now, flow.state)
	}
}

// end ends the flow: its requests are complete, or the connection is in error.
func (e *peerEnd) end(n *NIC, now unit.Time, p *verbs.Progress) {
	flow := e.flow
	if p.Status == verbs.Unfinished {
		flow.record.Completed = now
		n.out.Note(trace.Completed, now, 0, uint64(flow.identity.flow)<<32^uint64(p.Acked))
	} else {
		flow.record.Failed = now
	}
	endFlow(n, flow, now)
}
