package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// station says where a sending QP is.
type station uint8

const (
	nowhere station = iota // nothing to send, or the window is closed
	timed                  // waits for its pacer; a due event is pending
	ready                  // in the port's round, or held out of it by a pause
)

// sender is the sending end of a flow: a QP, of which each part has a type and a
// file of its own. The NIC moves it from station to station with place, and
// starts its packets with send.
type sender struct {
	next    *sender // in a list
	index   uint32  // in NIC.qps
	at      station
	class   uint8
	running bool // started, not ended, its algorithm not at fault
	faulty  bool // its algorithm is at fault

	pacer          pacer
	decisions      decisions
	reliability    reliability
	retransmission retransmission
	messages       messages
	waiters        waitList // blocked on an ACK of this flow
	groupSize      groupSize

	// due is the pacer's timer, wake that of a decision's WakeAt.
	due, wake link.Timer

	algorithm cc.Sender
	batcher   cc.Batcher
	signals   cc.Signals
	signal    flowSignal
	scratch   *scratch
	rtt       unit.Duration // the latest sample, 0 for none
	sent      unit.Bytes    // cumulative, as counted on the wire

	record   record.Sender
	identity identity
	shapes   [numShapes]shape
}

// identity is what a flow and its algorithm are called, and where its messages go.
type identity struct {
	flow             uint32 // the flow's number in the plan
	name, controller string
	memory           uint64 // the receiver's address of the flow's first byte
}

// AddSender adds the sending end of a flow. The error names what is wrong and
// what is allowed.
func (n *NIC) AddSender(c SenderConfig) error {
	if err := c.end().check(n.nextQP()); err != nil {
		return n.wrong(c.Name, err)
	}
	if err := checkSender(&c); err != nil {
		return n.wrong(c.Name, err)
	}
	dscp := n.profile.DataDSCP
	if c.DSCP >= 0 {
		dscp = uint8(c.DSCP)
	}
	signals := c.Controller.Signals()
	layout, line := newLayout(c.Size, c.Message, c.MTU), n.tx.Rate()
	q := &sender{
		index:          uint32(len(n.qps)),
		class:          n.profile.ClassOf[dscp],
		pacer:          newPacer(n.tx.Accounting(), line),
		decisions:      newDecisions(line, signals.OwnData > 0),
		reliability:    newReliability(layout, c.FirstPSN, n.profile.AckEvery, n.profile.OutOfOrder),
		retransmission: newRetransmission(&n.profile),
		algorithm:      c.Controller.NewSender(Facts(c, line, n.tx.Accounting())),
		signals:        signals,
		signal:         newFlowSignal(signals),
		record:         record.Sender{Started: c.Start, FirstSent: unit.Never, Completed: unit.Never},
		identity: identity{
			flow:       c.Flow,
			name:       c.Name,
			controller: nameOf(c.Controller),
			memory:     uint64(c.Peer.QP) << 40,
		},
	}
	if q.algorithm == nil {
		return n.wrong(c.Name, fmt.Errorf("%s made no sender for it", q.identity.controller))
	}
	nameFlow(q.algorithm, c.Name)
	q.scratch = n.scratchOf(q.signal.kind)
	q.batcher = batcherOf(q.algorithm)
	q.record.Rate.Interval, q.record.Decided.Interval = n.interval, n.interval
	if c.Size > 0 {
		n.pending++
	}
	if c.Messages != nil {
		q.messages = newMessages(c.Messages, c.Rank, q, &q.record)
		q.reliability.holdMessages()
	}
	q.shapes = n.newShapes(&q.reliability, &c, dscp)
	n.qps = append(n.qps, qp{send: q})
	n.queue.Schedule(c.Start, event.Timer, 0, arg(jobStart, q.index))
	if c.Stop > 0 {
		n.queue.Schedule(c.Stop, event.Timer, 0, arg(jobStop, q.index))
	}
	if signals.Group && len(c.Words) > 0 {
		q.groupSize = groupSize{c.Group.Flows, c.Words}
		n.awaitWord(q)
	}
	return nil
}

func (n *NIC) start(q *sender, now unit.Time) {
	q.running = true
	q.record.Decided.Set(now, int64(q.pacer.rate/unit.Mbps))
	n.tell(q, cc.EventStart, now, 0, 0)
	n.place(q, now)
}

// stop ends a flow where it is.
func (n *NIC) stop(q *sender, now unit.Time) {
	if q.running && q.reliability.stop() {
		n.finish(q, now)
	}
}

// finish ends the flow if all of it is acknowledged. A sized flow that was
// stopped short ends without being completed.
func (n *NIC) finish(q *sender, now unit.Time) {
	r := &q.reliability
	if !r.ended() {
		return
	}
	q.running = false
	if r.complete() {
		q.record.Completed = now
		n.out.Note(trace.Completed, now, 0, uint64(q.identity.flow)<<32^uint64(r.acked))
	}
	if r.layout.size > 0 {
		n.pending--
		n.last = now
	}
}

// admit lets the next message of a flow be sent: all that it waited for has
// happened. The messages behind it follow as far as nothing holds them.
func (n *NIC) admit(q *sender, now unit.Time) {
	more := q.messages.admit(now, &q.record)
	q.reliability.admitMessage()
	if more {
		n.proceed(&q.messages.waiter, now)
	}
	n.place(q, now)
}

// sendable reports whether, pacer aside, a packet may leave.
func (q *sender) sendable() bool { return q.running && q.reliability.sendable(q.decisions.window) }

// place puts a QP that is nowhere, or waits for its pacer, where it belongs. A QP
// that is due no later than the port is free joins the round at once, which saves
// an event a packet.
func (n *NIC) place(q *sender, now unit.Time) {
	if q.at == ready {
		return
	}
	switch {
	case !q.sendable():
		q.at = nowhere
	case q.pacer.next <= max(now, n.port.busyUntil):
		q.at = ready
		n.port.ready.push(q)
	default:
		q.at = timed
		n.arm(&q.due, q.pacer.next, jobDue, q.index)
	}
}

// due is the pacer's event.
func (n *NIC) due(q *sender, now unit.Time) {
	if q.due.Fired(now) && q.at == timed {
		n.place(q, now)
	}
}

// send starts the QP's next packet now.
func (n *NIC) send(q *sender, now unit.Time) {
	c, resent, oldest := q.reliability.take(now)
	s := &q.shapes[q.reliability.layout.shapeAt(&c)]
	f := newFrame(n.out, &s.frame)
	n.fill(f, q, s, &c, now, resent)
	if oldest {
		q.retransmission.since = now
	}
	if !q.retransmission.timer.Pending() {
		n.arm(&q.retransmission.timer, now.Add(q.retransmission.after), jobRTO, q.index)
	}
	q.sent += s.bytes
	q.record.Packets++
	q.record.WireBytes += s.bytes
	switch {
	case resent:
		q.record.Resent++
	case c.packet == 0:
		q.record.FirstSent = now
	}
	q.pacer.started(now, s.bytes)
	n.emit(now, f, s.serial, q.class)
	if fired, ok := q.decisions.bytesFired(q.sent); ok {
		n.tellFired(q, cc.EventSent, now, int64(fired))
	}
}

// fill makes f, a copy of its shape, the packet at c, which leaves now.
func (n *NIC) fill(f *wire.Frame, q *sender, s *shape, c *cursor, now unit.Time, resent bool) {
	f.PSN = q.reliability.psn(c.packet)
	if c.from == c.start { // First and Only carry the RETH
		f.VA = q.identity.memory + uint64(c.start)
		f.DMALen = uint32(c.end - c.start)
	}
	if q.reliability.asksForAck(c) {
		f.AckExt |= wire.AckReq
	}
	if q.signal.signal != nil {
		q.signal.signal.fillData(f, departure{
			clock:    n.clock,
			at:       now,
			baseline: s.baseline,
			resent:   resent,
			rtt:      q.rtt,
			own:      &q.decisions.own,
		})
	}
}
