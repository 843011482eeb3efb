package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fifo"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
)

// station says where a sending QP stands.
type station uint8

const (
	nowhere station = iota // nothing to send, or the window is closed
	timed                  // waits for its pacer; a due event is pending
	ready                  // in the port's round, or held out of it by a pause
)

// sender is the sending end of a flow.
type sender struct {
	next    *sender // in a list
	index   uint32  // in NIC.qps
	at      station
	class   uint8
	running bool // started, not ended, its algorithm not at fault
	faulty  bool // its algorithm is at fault

	// The pacer: the last packet's start and size, and when the next may
	// leave. gap is what follows a packet of gapBytes at the rate in force.
	lastStart, nextAvail unit.Time
	lastBytes, gapBytes  unit.Bytes
	gap                  unit.Duration

	// force is the decision in force, decided what the algorithm last
	// decided; they differ while decisions are delayed.
	force, decided cc.Decision

	// cursor is the next packet, high the first that was never sent, una the
	// oldest unacknowledged, acked the bytes before una, limit the end of the
	// flow in packets, open the end of what may be sent so far. repair is the one
	// packet that an out-of-order receiver misses, -1 for none.
	cursor                 cursor
	high, una, limit, open int64
	acked                  unit.Bytes
	repair                 int64
	// clean is the first packet from which on all were sent once; RTT is
	// sampled from there (Karn's rule). starts holds the starts of packets
	// una to high, at the packet's number modulo its length.
	clean  int64
	starts []unit.Time
	// sampled is the first packet never sent when the last RTT sample of one a
	// round trip was taken: the next is of that packet or a later one.
	sampled int64

	sent unit.Bytes // cumulative, as counted on the wire

	// The retransmission timer runs from rtoBase, the last progress.
	rtoBase unit.Time
	rto     unit.Duration

	due, rtoTimer, wakeTimer link.Timer

	algorithm cc.Sender
	signals   cc.Signals
	signal    flowSignal
	scratch   *scratch
	rtt       unit.Duration      // the latest sample, 0 for none
	delayed   fifo.Queue[change] // decisions that wait to take effect

	outOfOrder  bool  // the receiver keeps packets that come early
	outstanding int64 // packets that may be unacknowledged
	ackEvery    int
	record      record.Sender
	layout      layout
	firstPSN    uint32
	flow        uint32
	name        string
	controller  string
	memory      uint64 // where the messages go at the receiver

	// steps are what each message waits for, nil where none waits; rank is the
	// place of the rank that they belong to, waiter the next message; waiters
	// are blocked on an ACK.
	steps   [][]Await
	rank    int
	waiter  waiter
	waiters waitList
	// complete counts the messages that are acknowledged.
	complete int

	// told is the controller's last word on the number of flows, words what it
	// will say.
	told  int
	words []Word

	batcher cc.Batcher
	shapes  [numShapes]shape
}

// AddSender adds the sending end of a flow. The error names what is wrong and
// what is allowed.
func (n *NIC) AddSender(c SenderConfig) error {
	if err := n.checkFlow(c.QP, c.Size, c.MTU, c.Start, c.Stop, c.FirstPSN, c.Controller, c.Path, c.Back); err != nil {
		return n.wrong(c.Name, err)
	}
	if err := checkSender(&c); err != nil {
		return n.wrong(c.Name, err)
	}
	dscp := n.profile.DataDSCP
	if c.DSCP >= 0 {
		dscp = uint8(c.DSCP)
	}
	facts := Facts(c, n.tx.Rate(), n.accounting)
	q := &sender{
		index: uint32(len(n.qps)), class: n.profile.ClassOf[dscp], repair: -1, limit: 1<<62 - 1,
		signals: c.Controller.Signals(), signal: newFlowSignal(c.Controller.Signals()), algorithm: c.Controller.NewSender(facts), controller: nameOf(c.Controller),
		outOfOrder: n.profile.OutOfOrder, outstanding: maxOutstanding, ackEvery: max(n.profile.AckEvery, 1), rto: n.profile.RTOInitial,
		layout: newLayout(c.Size, c.Message, c.MTU), firstPSN: c.FirstPSN, flow: c.Flow, name: c.Name,
		memory: uint64(c.Peer.QP) << 40, starts: make([]unit.Time, 16),
	}
	if q.algorithm == nil {
		return n.wrong(c.Name, fmt.Errorf("%s made no sender for it", q.controller))
	}
	nameFlow(q.algorithm, c.Name)
	q.scratch = n.scratchOf(q.signal.kind)
	q.batcher = batcherOf(q.algorithm)
	if q.outOfOrder {
		q.outstanding = reorderWindow
	}
	q.decided.Rate, q.force.Rate = n.tx.Rate(), n.tx.Rate()
	q.record = record.Sender{Started: c.Start, FirstSent: unit.Never, Completed: unit.Never}
	q.record.Rate.Interval, q.record.Decided.Interval = n.interval, n.interval
	if c.Size > 0 {
		q.limit = q.layout.packets()
		n.pending++
	}
	q.open = q.limit
	if c.Messages != nil {
		q.steps, q.rank, q.open = c.Messages, c.Rank, 0
		q.waiter.sender = q
		q.record.Messages = make([]record.Message, 0, len(c.Messages))
	}
	q.cursor = q.layout.at(0)
	n.makeShapes(q, &c, q.signals, dscp)
	n.qps = append(n.qps, qp{send: q})
	n.queue.Schedule(c.Start, event.Timer, 0, arg(jobStart, q.index))
	if c.Stop > 0 {
		n.queue.Schedule(c.Stop, event.Timer, 0, arg(jobStop, q.index))
	}
	if q.signals.Group && len(c.Words) > 0 {
		q.told, q.words = c.Group.Flows, c.Words
		n.queue.Schedule(c.Words[0].At, event.Timer, 0, arg(jobWord, q.index))
	}
	return nil
}

func (n *NIC) start(q *sender, now unit.Time) {
	q.running = true
	q.record.Decided.Set(now, int64(q.force.Rate/unit.Mbps))
	n.tell(q, cc.EventStart, now, 0, 0)
	n.place(q, now)
}

// stop ends a flow where it stands: what was sent is still acknowledged and,
// where lost, sent again, but nothing new.
func (n *NIC) stop(q *sender, now unit.Time) {
	if q.running && q.high < q.limit {
		q.limit, q.open = q.high, q.high
		n.finish(q, now)
	}
}

// finish ends the flow if all of it is acknowledged. A sized flow that was
// stopped short ends without being completed.
func (n *NIC) finish(q *sender, now unit.Time) {
	if q.una < q.limit {
		return
	}
	q.running = false
	if q.layout.size == 0 || q.acked == q.layout.size {
		q.record.Completed = now
		n.out.Note(trace.Completed, now, 0, uint64(q.flow)<<32^uint64(q.acked))
	}
	if q.layout.size > 0 {
		n.pending--
		n.last = now
	}
}

// inflight is the payload that was sent and is not acknowledged; going back
// takes it for lost.
func (q *sender) inflight() unit.Bytes { return q.cursor.from - q.acked }

// sendable reports whether, pacer aside, a packet may leave. The window rule
// is inflight < W, so that less than a packet may exceed it (public RDMA
// simulator, alibaba-edu HPCC ns-3).
func (q *sender) sendable() bool {
	if !q.running {
		return false
	}
	if q.repair >= 0 {
		return true
	}
	if q.cursor.packet >= q.open || q.force.Window > 0 && q.inflight() >= q.force.Window {
		return false
	}
	return q.cursor.packet-q.una < q.outstanding
}

// place puts a QP that stands nowhere, or waits for its pacer, where it
// belongs. A QP that is due no later than the port is free joins the round at
// once, which saves an event a packet.
func (n *NIC) place(q *sender, now unit.Time) {
	if q.at == ready {
		return
	}
	switch {
	case !q.sendable():
		q.at = nowhere
	case q.nextAvail <= max(now, n.port.busyUntil):
		q.at = ready
		n.port.ready.push(q)
	default:
		q.at = timed
		n.arm(&q.due, q.nextAvail, jobDue, q.index)
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
	c := q.cursor
	repair := q.repair >= 0
	if repair {
		c = q.layout.at(q.repair)
		q.repair = -1
	}
	s := &q.shapes[q.layout.shapeAt(&c)]
	f := newFrame(n.out, &s.frame)
	n.fill(f, q, s, &c, now)
	if c.packet-q.una >= int64(len(q.starts)) {
		q.growStarts(c.packet)
	}
	q.remember(&c, now)
	if !repair {
		if c.packet == q.una {
			q.rtoBase = now
		}
		q.layout.advance(&q.cursor)
	}
	if !q.rtoTimer.Pending() {
		n.arm(&q.rtoTimer, now.Add(q.rto), jobRTO, q.index)
	}
	q.sent += s.bytes
	q.record.Packets++
	q.record.WireBytes += s.bytes
	q.pace(n, now, s.bytes)
	n.emit(now, f, s.serial, q.class)
	if q.force.WakeBytes != 0 && q.sent >= q.force.WakeBytes {
		fired := q.force.WakeBytes
		q.force.WakeBytes = 0
		n.tellFired(q, cc.EventSent, now, int64(fired))
	}
}

// fill makes f, a copy of its shape, the packet at c, which leaves now.
func (n *NIC) fill(f *wire.Frame, q *sender, s *shape, c *cursor, now unit.Time) {
	f.PSN = psnOf(q.firstPSN, c.packet)
	if c.from == c.start { // First and Only carry the RETH
		f.VA = q.memory + uint64(c.start)
		f.DMALen = uint32(c.end - c.start)
	}
	if q.ackEvery > 1 && c.packet%q.layout.perMessage%int64(q.ackEvery) == int64(q.ackEvery)-1 {
		f.AckExt |= wire.AckReq
	}
	if q.signal.signal != nil {
		q.signal.signal.fillData(f, departure{
			clock:    n.clock,
			at:       now,
			baseline: s.baseline,
			resent:   c.packet < q.high,
			rtt:      q.rtt,
			own:      &q.force.Own,
		})
	}
}

// remember notes the start of the packet at c for its RTT.
func (q *sender) remember(c *cursor, now unit.Time) {
	if c.packet < q.high {
		q.record.Resent++
		return
	}
	if c.packet == 0 {
		q.record.FirstSent = now
	}
	q.high = c.packet + 1
	q.starts[c.packet&int64(len(q.starts)-1)] = now
}

// growStarts makes room for the start of the given packet, the first that was
// never sent.
func (q *sender) growStarts(packet int64) {
	old := q.starts
	q.starts = make([]unit.Time, 2*len(old))
	for i := q.una; i < packet; i++ {
		q.starts[i&int64(len(q.starts)-1)] = old[i&int64(len(old)-1)]
	}
}
