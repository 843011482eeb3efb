package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// receiver is the receiving end of a flow.
type receiver struct {
	index    uint32 // in NIC.qps
	firstPSN uint32
	// expected is the packet that comes next in order; msn counts the
	// messages that are complete.
	expected int64
	msn      uint32
	size     unit.Bytes // 0 where not known
	layout   layout
	waiters  waitList // blocked on a message of this flow

	signals   cc.Signals
	signal    flowSignal
	finisher  ackFinisher // the signal if its ACKs are finished when they leave, else nil
	algorithm cc.Receiver
	scratch   *scratch
	// What the newest accepted packet left for its ACK.
	feedback cc.Feedback
	received int64 // reading of the clock when it arrived
	tos      uint8

	// unacked counts accepted packets that no ACK has covered; flushAt is
	// when they get one without being asked for, flush how long that takes.
	unacked    int
	flush      unit.Duration
	flushAt    unit.Time
	flushTimer link.Timer

	// A NAK for packet nakFor was last sent at nakAt.
	nakFor int64
	nakAt  unit.Time

	notify  notifier
	reorder reorder
	group   membership
	record  record.Receiver
	ack     wire.Frame // all but PSN, MSN, syndrome and the extension's words
	baseRTT unit.Duration
	// For messages.
	name, controller string
}

// AddReceiver adds the receiving end of a flow. The error names what is wrong
// and what is allowed.
func (n *NIC) AddReceiver(c ReceiverConfig) error {
	if err := n.checkFlow(c.QP, c.Size, c.MTU, c.Start, c.Stop, c.FirstPSN, c.Controller, c.Path, c.Back); err != nil {
		return n.wrong(c.Name, err)
	}
	facts := c.facts(n.rx.Rate(), n.accounting)
	s := c.Controller.Signals()
	r := &receiver{
		index: uint32(len(n.qps)), firstPSN: c.FirstPSN, size: c.Size, layout: newLayout(c.Size, c.Message, c.MTU), signals: s, algorithm: c.Controller.NewReceiver(facts),
		flush: n.profile.AckFlush, flushAt: unit.Never, nakFor: -1, baseRTT: facts.BaseRTT, name: c.Name, controller: nameOf(c.Controller),
		notify: notifier{interval: s.CNPInterval}, group: newMembership(&c),
		record: record.Receiver{First: unit.Never, Last: unit.Never},
		ack: wire.Frame{
			EtherType: wire.EtherTypeIPv4, Src: n.mac, Dst: c.Peer.MAC, SrcIP: n.ip, DstIP: c.Peer.IP,
			TOS: n.profile.CNPDSCP << 2, TTL: ttl, Fragment: wire.DontFragment, SrcPort: c.SrcPort,
			Opcode: wire.Acknowledge, Flags: wire.FlagMigReq, PKey: wire.DefaultPKey, DestQP: c.Peer.QP,
		},
	}
	nameFlow(r.algorithm, c.Name)
	if r.flush <= 0 {
		r.flush = facts.BaseRTT
	}
	var data wire.Frame
	r.signal = newFlowSignal(s)
	r.scratch = n.scratchOf(r.signal.kind)
	if r.signal.signal != nil {
		r.signal.signal.setExtensions(&data, &r.ack)
	}
	if f, ok := r.signal.signal.(ackFinisher); ok {
		r.finisher = f
	}
	r.ack.Len() // kept by every copy
	r.reorder.since = unit.Never
	n.qps = append(n.qps, qp{recv: r})
	n.queue.Schedule(c.Start, event.Timer, 0, arg(jobAnnounce, r.index))
	if c.Stop > 0 {
		n.queue.Schedule(c.Stop, event.Timer, 0, arg(jobWithdraw, r.index))
	}
	return nil
}

// receive takes a data packet (IBA volume 1, 9.7.2 and 9.7.5.2): at the
// expected PSN it is accepted, behind it is a duplicate and answered with the
// ACK of what came last in order, ahead of it there is a gap.
func (n *NIC) receive(r *receiver, now unit.Time, f *wire.Frame) {
	if f.ECN() == wire.CE {
		r.record.Marked++
		if r.signals.CNP && r.notify.answer(now) {
			n.sendCNP(r, f)
		}
	}
	r.tos = f.TOS
	packet := packetOf(r.firstPSN, f.PSN, r.expected)
	ahead := packet - r.expected
	switch {
	case ahead < 0 || ahead < reorderWindow && r.reorder.has(packet):
		r.record.Duplicate++
		n.sendAck(r)
		n.drop(now, fabric.DropDuplicate, f)
	case ahead == 0 || n.profile.OutOfOrder && ahead < reorderWindow:
		n.accept(r, now, f, packet)
		n.out.Free(f)
	default:
		r.record.OutOfOrder++
		n.nakAhead(r, now)
		n.drop(now, fabric.DropOutOfOrder, f)
	}
}

// last reports whether the opcode ends a message.
func last(op wire.Opcode) bool {
	switch op {
	case wire.WriteLast, wire.WriteOnly, wire.WriteLastImm, wire.WriteOnlyImm,
		wire.SendLast, wire.SendOnly, wire.SendLastImm, wire.SendOnlyImm:
		return true
	}
	return false
}

// advance moves the expected packet on.
func (r *receiver) advance(endsMessage bool) {
	if endsMessage {
		r.msn = (r.msn + 1) & wire.PSNMask
	}
	r.expected++
}

// accept takes a packet in order, or one that is kept beyond a gap: counts it,
// shows it to the algorithm, and acknowledges at once where the sender asks for
// that.
func (n *NIC) accept(r *receiver, now unit.Time, f *wire.Frame, packet int64) {
	if s := r.signal.signal; s != nil && r.unacked > 0 && s.splitsAck(f) {
		n.sendAck(r)
	}
	if packet == r.expected {
		r.advance(last(f.Opcode))
		for r.reorder.held > 0 && r.reorder.has(r.expected) { // over what was kept beyond it too
			r.advance(r.reorder.take(r.expected))
		}
	} else {
		r.record.Reordered++
		r.reorder.keep(packet, last(f.Opcode))
	}
	if r.record.Packets == 0 {
		r.record.First = now
	}
	r.record.Packets++
	r.record.Bytes += unit.Bytes(f.PayloadLen)
	if silence := now.Sub(r.record.Last); silence > r.record.Silence { // negative at first: Last is unit.Never
		r.record.Silence, r.record.SilentFrom = silence, r.record.Last
	}
	r.record.Last = now
	n.inform(r, now, f)
	if r.size > 0 && r.record.Bytes >= r.size {
		n.lastByte(r, now)
	}
	r.unacked++
	if f.AckExt&wire.AckReq != 0 {
		n.sendAck(r)
	} else if r.flushAt == unit.Never {
		r.flushAt = now.Add(r.flush)
		n.arm(&r.flushTimer, r.flushAt, jobFlush, r.index)
	}
	if n.profile.OutOfOrder {
		n.watchGap(r, now, packet)
	}
	if r.waiters.head != nil {
		n.wakeWaiters(&r.waiters, r.expected, now)
	}
}

// inform has the flow's signal read the packet, and hands it to the receiver's
// algorithm.
func (n *NIC) inform(r *receiver, now unit.Time, f *wire.Frame) {
	if r.signal.clocked {
		r.received = n.clock.Read(now)
	}
	// Field by field: a literal would be made elsewhere and copied here.
	a := &r.scratch.arrival
	a.Clock = r.received
	r.signal.readData(f, a, &r.feedback, &r.record)
	if r.algorithm == nil {
		return
	}
	g := &r.group
	g.seen = now
	if !g.active {
		n.join(r, now)
	}
	if g.version != n.groupVersion {
		n.tellGroup(r)
	}
	a.Now, a.Bytes, a.Active = now, unit.Bytes(f.PayloadLen), n.active
	a.CE, a.Last = f.ECN() == wire.CE, last(f.Opcode)
	r.algorithm.Data(a, &r.feedback)
	if r.feedback.BaseRate < 0 {
		n.blameReceiver(r, now)
	}
}
