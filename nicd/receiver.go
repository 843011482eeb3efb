package nicd

import (
	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// receiver is the receiving end of a flow: a QP, of which each part has a type
// and a file of its own.
type receiver struct {
	index    uint32 // in NIC.qps
	sequence sequence
	acks     coalescing
	notify   notifier
	group    membership
	layout   layout
	waiters  waitList // blocked on a message of this flow
	baseRTT  unit.Duration

	signals   cc.Signals
	signal    flowSignal
	finisher  ackFinisher // the signal if its ACKs are finished when they leave, else nil
	algorithm cc.Receiver
	scratch   *scratch
	// What the newest accepted packet left for its ACK.
	feedback cc.Feedback
	received int64 // reading of the clock when it arrived
	tos      uint8
	ack      wire.Frame // all but PSN, MSN, syndrome and the extension's words

	record   record.Receiver
	identity identity
}

// AddReceiver adds the receiving end of a flow. The error names what is wrong
// and what is allowed.
func (n *NIC) AddReceiver(c ReceiverConfig) error {
	if err := c.end().check(n.nextQP()); err != nil {
		return n.wrong(c.Name, err)
	}
	facts := c.facts(n.rx.Rate(), n.rx.Accounting())
	signals := c.Controller.Signals()
	flush := n.profile.AckFlush
	if flush <= 0 {
		flush = facts.BaseRTT
	}
	r := &receiver{
		index:     uint32(len(n.qps)),
		sequence:  newSequence(c.FirstPSN, &n.profile),
		acks:      newCoalescing(flush),
		notify:    notifier{interval: signals.CNPInterval},
		group:     newMembership(&c, &n.profile),
		layout:    newLayout(c.Size, c.Message, c.MTU),
		baseRTT:   facts.BaseRTT,
		signals:   signals,
		signal:    newFlowSignal(signals),
		algorithm: c.Controller.NewReceiver(facts),
		ack: wire.Frame{
			EtherType: wire.EtherTypeIPv4,
			Src:       n.mac,
			Dst:       c.Peer.MAC,
			SrcIP:     n.ip,
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
		record:   record.Receiver{First: unit.Never, Last: unit.Never},
		identity: identity{flow: c.Flow, name: c.Name, controller: nameOf(c.Controller)},
	}
	nameFlow(r.algorithm, c.Name)
	r.scratch = n.scratchOf(r.signal.kind)
	if r.signal.signal != nil {
		var data wire.Frame
		r.signal.signal.setExtensions(&data, &r.ack)
	}
	if f, ok := r.signal.signal.(ackFinisher); ok {
		r.finisher = f
	}
	r.ack.Len() // kept by every copy
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
	switch packet, where := r.sequence.place(f.PSN); where {
	case duplicate:
		r.record.Duplicate++
		n.sendAck(r)
		n.drop(now, fabric.DropDuplicate, f)
	case taken:
		n.accept(r, now, f, packet)
		n.out.Free(f)
	default:
		r.record.OutOfOrder++
		if r.sequence.reports(now, n.profile.NAKInterval) {
			n.sendNAK(r)
		}
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

// accept takes a packet in order, or one that is kept beyond a gap: counts it,
// shows it to the algorithm, and acknowledges at once where the sender asks for
// that.
func (n *NIC) accept(r *receiver, now unit.Time, f *wire.Frame, packet int64) {
	if s := r.signal.signal; s != nil && r.acks.unacked > 0 && s.splitsAck(f) {
		n.sendAck(r)
	}
	if !r.sequence.accept(packet, last(f.Opcode)) {
		r.record.Reordered++
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
	if size := r.layout.size; size > 0 && r.record.Bytes >= size {
		n.lastByte(r, now)
	}
	asked := f.AckExt&wire.AckReq != 0
	holds := r.acks.accepted(now, asked)
	switch {
	case asked:
		n.sendAck(r)
	case holds:
		n.arm(&r.acks.timer, r.acks.at, jobFlush, r.index)
	}
	if r.sequence.keeps {
		n.watchGap(r, now, packet)
	}
	if r.waiters.head != nil {
		n.wakeWaiters(&r.waiters, r.sequence.expected, now)
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
		n.census.enter(g)
		n.arm(&g.timer, g.silentAt(), jobIdle, r.index)
	}
	if word, news := g.look(&n.census); news {
		r.algorithm.Group(word)
	}
	a.Now, a.Bytes, a.Active = now, unit.Bytes(f.PayloadLen), n.census.active
	a.CE, a.Last = f.ECN() == wire.CE, last(f.Opcode)
	r.algorithm.Data(a, &r.feedback)
	if r.feedback.BaseRate < 0 {
		n.blameReceiver(r, now)
	}
}

// watchGap follows the first gap of a receiver that keeps what comes early, and
// asks for the missing packet, at most once a base RTT.
func (n *NIC) watchGap(r *receiver, now unit.Time, packet int64) {
	found, report := r.sequence.watch(packet, now)
	if found {
		n.arm(&r.sequence.timer, r.sequence.due(), jobReorder, r.index)
	}
	if report && r.sequence.reports(now, r.baseRTT) {
		n.sendNAK(r)
	}
}

// gapExpired is the event at which a gap is old enough to be reported.
func (n *NIC) gapExpired(r *receiver, now unit.Time) {
	s := &r.sequence
	switch {
	case !s.timer.Fired(now) || s.since == unit.Never:
	case now < s.due():
		n.arm(&s.timer, s.due(), jobReorder, r.index)
	case s.reports(now, r.baseRTT):
		n.sendNAK(r)
	}
}
