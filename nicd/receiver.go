package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// receiver is the receiving end of a flow: a QP; each of its parts has its own type and file.
type receiver struct {
	next      *receiver // in a list of spare ones
	index     uint32    // in NIC.qps
	sequence  sequence
	responder responder
	acks      coalescing
	notifier  notifier
	group     membership
	layout    layout
	waiters   waitList // blocked on a message of this flow
	baseRTT   unit.Duration
	gaps      *gaps // nil if no link on the way goes down

	signals   cc.Signals
	signal    flowSignal
	finisher  finisher // the signal if its ACKs are finished when they leave, else nil
	algorithm cc.Receiver
	scratch   *scratch
	// What the newest accepted packet left for its ACK.
	feedback     cc.Feedback
	late         *lateAnswer // in place of feedback, nil if that is there
	arrivalClock int64       // reading of the clock when it arrived
	tos          uint8
	ack          wire.Frame // all but PSN, MSN, syndrome and the extension's values

	record   record.Receiver
	identity identity
}

// AddReceiver adds the receiving end of a flow. The error names the fault and the allowed values.
func (n *NIC) AddReceiver(config ReceiverConfig) error {
	if err := config.end().check(n.nextQP()); err != nil {
		return n.flowError(config.Name, err)
	}
	facts := config.facts(n.rx.Rate(), n.rx.Accounting())
	responder, err := newResponder(&config, n.profile.OutOfOrder || n.profile.Selective)
	if err != nil {
		return n.flowError(config.Name, err)
	}
	planned := &plannedReceiver{config.Controller.NewReceiver(facts)}
	nameFlow(planned.algorithm, config.Name)
	noteAsked(n, planned.algorithm)
	index := uint32(len(n.qps))
	n.qps = append(n.qps, qp{end: planned, peer: config.Peer.IP})
	keepReceiver(n, &config)
	if responder.host != nil || n.completion.restless {
		receiving(n, index).responder = responder
	}
	n.queue.Schedule(config.Start, event.Timer, 0, timerArg(jobAnnounceFlow, index))
	if config.Stop > 0 {
		n.queue.Schedule(config.Stop, event.Timer, 0, timerArg(jobWithdrawFlow, index))
	}
	return nil
}

// newReceiver returns the receiving end of a flow without any packets yet, behind the QP at index, with an algorithm
// that may be nil.
func newReceiver(n *NIC, index uint32, c *ReceiverConfig, algorithm cc.Receiver) *receiver {
	facts := c.facts(n.rx.Rate(), n.rx.Accounting())
	signals := c.Controller.Signals()
	flow := n.spare.takeReceiver()
	*flow = receiver{
		index:     index,
		sequence:  newSequence(c.FirstPSN, &n.profile, window(n, &facts, c.Path)),
		responder: responder{keeps: n.profile.OutOfOrder || n.profile.Selective},
		acks:      newCoalescing(n.profile.AckFlush),
		notifier:  notifier{interval: signals.CNPInterval},
		group:     newMembership(c, &n.profile),
		layout:    newLayout(c.Size, c.Message, c.MTU),
		baseRTT:   facts.BaseRTT,
		signals:   signals,
		signal:    newFlowSignal(signals),
		algorithm: algorithm,
		ack: wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			Src:       n.address.mac,
			Dst:       c.Peer.MAC,
			SrcIP:     n.address.ip,
			DstIP:     c.Peer.IP,
			TOS:       n.profile.CNPDSCP << 2,
			TTL:       ttl,
			Fragment:  wire.DontFragment,
			SrcPort:   c.SrcPort,
			Opcode:    wire.Acknowledge,
			Flags:     wire.FlagMigReq,
			PKey:      wire.DefaultPKey,
			DestQP:    c.Peer.QP,
		},
		record:   newReceiverRecord(c),
		identity: identity{flow: c.Flow, name: c.Name, controller: c.Controller},
	}
	flow.scratch = n.scratchOf(flow.signal.kind)
	if flow.signal.signal != nil {
		var data wire.Frame
		flow.signal.signal.setExtensions(&data, &flow.ack)
	}
	if f, ok := flow.signal.signal.(finisher); ok {
		flow.finisher = f
	}
	flow.ack.Len() // kept by every copy
	return flow
}

// receive takes a request (IBA volume 1, 9.7.2 and 9.7.5.2): at the
// expected PSN it is accepted unless the responder refuses it, behind it is a duplicate and
// answered with the ACK of what came last in order, ahead of it there is a gap. A READ or an atomic
// that is behind was never served, so that there is nothing to repeat.
func (n *NIC) receive(flow *receiver, now unit.Time, frame *wire.Frame) {
	if flow.responder.error {
		n.drop(now, fabric.DropUnknownQP, frame)
		return
	}
	if frame.ECN() == wire.CE {
		flow.record.Marked++
		if flow.signals.CNP && flow.notifier.allow(now) {
			n.sendCNP(flow, frame)
		}
	}
	flow.tos = frame.TOS
	switch packet, where := flow.sequence.place(frame.PSN); where {
	case duplicate:
		flow.record.Duplicate++
		if requests[frame.Opcode].operation != unserved {
			acknowledgeNow(n, flow, packet)
		}
		n.drop(now, fabric.DropDuplicate, frame)
	case taken:
		if syndrome := flow.responder.check(frame, now); syndrome != 0 {
			flow.refuse(n, now, syndrome, frame)
			return
		}
		n.accept(flow, now, frame, packet)
		n.out.Free(frame)
	default:
		flow.record.OutOfOrder++
		if flow.sequence.mayNAK(now, flow.sequence.refuse(packet, n.profile.NAKInterval)) {
			n.sendNAK(flow)
			if n.profile.GapCNP && flow.signals.CNP && flow.notifier.allow(now) {
				n.sendCNP(flow, frame)
				flow.record.GapCNPs++
			}
		}
		n.drop(now, fabric.DropOutOfOrder, frame)
	}
}

// accept takes a packet in order, or one that is kept beyond a gap: counts it,
// shows it to the algorithm, and acknowledges at once where the sender asks for
// that.
func (n *NIC) accept(flow *receiver, now unit.Time, frame *wire.Frame, packet int64) {
	if s := flow.signal.signal; s != nil && flow.acks.unacked > 0 && s.splitsAck(frame) {
		n.sendAck(flow)
	}
	if last := requests[frame.Opcode].ends; flow.sequence.plain(packet) {
		flow.sequence.advance(last)
	} else if !flow.sequence.accept(packet, last) {
		flow.record.Reordered++
	}
	if flow.record.Packets == 0 {
		flow.record.First = now
	}
	flow.record.Packets++
	flow.record.Bytes += unit.Bytes(frame.PayloadLen)
	if silence := now.Sub(flow.record.Last); silence > flow.record.Silence { // negative at first: Last is unit.Never
		flow.record.Silence, flow.record.SilentFrom = silence, flow.record.Last
	}
	if flow.gaps != nil {
		flow.gaps.accepted(flow.record.Last, now, flow.record.Gaps)
	}
	flow.record.Last = now
	n.notifyReceiver(flow, now, frame)
	if size := flow.layout.size; size > 0 && flow.record.Bytes >= size {
		n.receivedAll(flow, now)
	}
	asked := frame.AckExt&wire.AckReq != 0
	if flow.sequence.keeps && flow.sequence.reports(packet) {
		acknowledgeNow(n, flow, packet)
	} else if flow.acks.accepted(now, asked) {
		n.arm(&flow.acks.timer, flow.acks.deadline, jobFlush, flow.index)
	} else if asked {
		n.sendAck(flow)
	}
	if flow.sequence.keeps {
		n.watchGap(flow, now, packet)
	}
	if flow.waiters.head != nil {
		n.wakeWaiters(&flow.waiters, flow.sequence.expected, now)
	}
}

// notifyReceiver lets the flow's signal read the packet, and hands the packet to the
// receiver's algorithm.
func (n *NIC) notifyReceiver(flow *receiver, now unit.Time, frame *wire.Frame) {
	if flow.late != nil {
		fillLate(n)
	}
	if flow.signal.clocked {
		flow.arrivalClock = n.clock.Read(now)
	}
	// Field by field: a literal would be made elsewhere and copied here.
	arrival := &flow.scratch.arrival
	arrival.Clock = flow.arrivalClock
	flow.signal.readData(frame, arrival, &flow.feedback, &flow.record)
	if flow.algorithm == nil {
		return
	}
	g := &flow.group
	g.lastSeen = now
	if !g.active {
		n.census.enter(g)
		n.arm(&g.timer, g.idleAt(), jobIdle, flow.index)
	}
	if group, changed := g.groupUpdate(&n.census); changed {
		flow.algorithm.Group(group)
	}
	arrival.Now, arrival.Bytes, arrival.Active = now, unit.Bytes(frame.PayloadLen), n.census.active
	arrival.CE, arrival.Last = frame.ECN() == wire.CE, requests[frame.Opcode].ends
	flow.see(n, arrival)
	if flow.feedback.BaseRate < 0 {
		n.recordReceiverFault(flow, now)
	}
}

// watchGap follows the first gap of a receiver that keeps what comes early, and
// asks for the missing packet, at most once a base RTT.
func (n *NIC) watchGap(flow *receiver, now unit.Time, packet int64) {
	if flow.sequence.selective {
		return
	}
	found, report := flow.sequence.watch(packet, now)
	if found {
		n.arm(&flow.sequence.timer, flow.sequence.due(), jobReorder, flow.index)
	}
	if report && flow.sequence.mayNAK(now, flow.baseRTT) {
		n.sendNAK(flow)
	}
}

// gapExpired handles the event at which a gap is old enough to be reported.
func (n *NIC) gapExpired(flow *receiver, now unit.Time) {
	if flow == nil {
		return
	}
	defer restReceiver(n, flow)
	s := &flow.sequence
	fired := s.timer.Fired(now)
	switch {
	case !fired || s.since == unit.Never:
	case now < s.due():
		n.arm(&s.timer, s.due(), jobReorder, flow.index)
	default:
		if may := s.mayNAK(now, flow.baseRTT); may {
			n.sendNAK(flow)
		}
	}
}
