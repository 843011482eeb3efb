package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/clock"
	"github.com/rocelab/rocelab/plugins/cc"
)

// NIC is one node with one port, port 0. Make one with New, add the ends of
// its flows, then run it.
type NIC struct {
	name       string
	profile    profile.NIC
	attachment fabric.Attachment
	tx, rx     link.Serializer
	ip         uint32
	mac        wire.MAC
	interval   unit.Duration
	clock      *clock.Clock

	queue *event.Queue
	qps   []qp
	ranks []*rank
	// out is the outbox of the call of Advance under way.
	out *fabric.Outbox

	port  port
	storm *storm // nil unless the profile has one

	// census counts the flows towards this NIC.
	census census
	// pending counts the sized flows that have not ended; last is when the last of
	// them did.
	pending int
	last    unit.Time
	fault   fault
	events  uint64
	// scratch is by kind of signal, the last for flows without one.
	scratch [len(signalKinds) + 1]*scratch
	// batch waits for a decision delay to pass.
	batch batch
}

// qp is the end of a flow that stands behind a QP number: one of the two.
type qp struct {
	send *sender
	recv *receiver
}

var _ fabric.Node = (*NIC)(nil)

// New returns a NIC without flows.
func New(c Config) *NIC {
	a := c.Attachment
	n := &NIC{
		name:       c.Name,
		profile:    c.Profile,
		attachment: a,
		tx:         link.NewSerializer(a.Accounting, a.Tx.Rate),
		rx:         link.NewSerializer(a.Accounting, a.Rx.Rate),
		ip:         c.IP,
		mac:        c.MAC,
		interval:   c.Interval,
		clock:      clock.New(c.Profile.Clock, c.Seed, c.Name),
		queue:      event.NewQueue(1),
		port:       newPort(&c),
		census:     census{version: 1},
	}
	n.awaitLinkChange()
	if storms := n.profile.Storms; len(storms) > 0 {
		n.storm = newStorm(storms, n.tx.Rate())
		n.scheduleStorms()
	}
	return n
}

// awaitLinkChange looks to when the link goes down or up next.
func (n *NIC) awaitLinkChange() {
	if f := n.port.faults; f != nil {
		if at := f.Change(); at != unit.Never {
			n.queue.Schedule(at, event.LinkChange, 0, 0)
		}
	}
}

// Deliver takes a frame that started at the far end.
func (n *NIC) Deliver(_ int, start unit.Time, length unit.Bytes, f *wire.Frame) unit.Time {
	at := start.Add(n.rx.Time(length, f) + n.attachment.Rx.Latency)
	n.queue.Arrive(0, at, length, f)
	return at
}

// Advance handles all events before horizon.
func (n *NIC) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	n.out = out
	var e event.Event
	for n.queue.PopBefore(horizon, &e) {
		n.events++
		switch e.Kind {
		case event.Frame, event.PFC:
			n.arrive(e.At, e.Frame)
		case event.Timer:
			n.expire(e.At, job(e.Arg>>32), uint32(e.Arg))
		case event.TxEnd:
			n.port.armed = false
		case event.LinkChange:
			n.port.down = n.port.faults.Toggle()
			n.awaitLinkChange()
		}
		if n.port.waiting|n.port.announce != 0 || n.port.ready.head != nil {
			n.serve(e.At)
		}
	}
	n.out = nil
	return n.queue.Next()
}

// expire hands a timer event to its job.
func (n *NIC) expire(now unit.Time, j job, of uint32) {
	switch j {
	case jobResume:
		n.expirePauses(now)
	case jobDue:
		n.due(n.qps[of].send, now)
	case jobWake:
		n.wake(n.qps[of].send, now)
	case jobDecide:
		n.decide(n.qps[of].send, now)
	case jobRTO:
		n.timeout(n.qps[of].send, now)
	case jobStart:
		n.start(n.qps[of].send, now)
	case jobStop:
		n.stop(n.qps[of].send, now)
	case jobFlush:
		n.flush(n.qps[of].recv, now)
	case jobReorder:
		n.gapExpired(n.qps[of].recv, now)
	case jobIdle:
		n.idle(n.qps[of].recv, now)
	case jobAnnounce:
		n.census.announce()
	case jobWithdraw:
		n.census.withdraw(&n.qps[of].recv.group)
	case jobRank:
		n.begin(int(of), now)
	case jobPhase:
		n.endPhase(n.ranks[of], now)
	case jobStorm:
		n.port.announce |= n.storm.begin(of)
	case jobCalm:
		n.port.announce |= n.storm.end(of, now)
	case jobRefresh:
		n.port.announce |= n.storm.due(of, now)
	case jobWord:
		n.word(n.qps[of].send, now)
	}
}

// arrive takes a frame whose last bit arrived, unless the link lost it.
func (n *NIC) arrive(now unit.Time, f *wire.Frame) {
	if faults := n.port.faults; faults != nil {
		if reason := faults.Lost(); reason != fabric.DropNone {
			n.port.lost(f)
			n.out.Drop(now, 0, reason, f)
			return
		}
	}
	r := n.port.record
	length := uint64(f.Len())
	r.RxFrames++
	r.RxBytes += length
	if f.IsPFC() {
		r.RxPFCFrames++
		r.RxPFCBytes += length
		n.receivePause(now, f)
		n.out.Free(f)
		return
	}
	i := f.DestQP - FirstQP
	if uint64(i) >= uint64(len(n.qps)) || f.DstIP != n.ip || f.IsDatagram() { // a datagram is for no QP
		n.drop(now, fabric.DropUnknownQP, f)
		return
	}
	end := &n.qps[i]
	switch {
	case end.recv != nil && f.Opcode <= wire.WriteOnlyImm:
		n.receive(end.recv, now, f)
	case end.send != nil && f.Opcode == wire.Acknowledge:
		n.acknowledge(end.send, now, f)
	case end.send != nil && f.Opcode == wire.CNP:
		if r := &end.send.record; r.CNPs == 0 {
			r.FirstCNP = now
		}
		end.send.record.CNPs++
		n.tell(end.send, cc.EventCNP, now, 0, rttInCNP(end.send.signals, f))
		n.out.Free(f)
	default:
		n.drop(now, fabric.DropUnknownQP, f)
	}
}

// drop counts a frame that arrived and was not wanted.
func (n *NIC) drop(now unit.Time, reason fabric.DropReason, f *wire.Frame) {
	n.port.record.Drops[reason]++
	n.port.record.DropBytes += uint64(f.Len())
	n.out.Drop(now, 0, reason, f)
}

// Pending returns how many sized flows that this NIC sends have not ended.
func (n *NIC) Pending() int { return n.pending }

// LastCompletion returns when the last of its sized flows ended, 0 if none
// has.
func (n *NIC) LastCompletion() unit.Time { return n.last }

// Fault returns the first nonsensical decision of an algorithm, nil if there
// was none. It names flow, algorithm and event. The flow stands still since.
func (n *NIC) Fault() error { return n.fault.err }

// Events returns how many events the NIC handled.
func (n *NIC) Events() uint64 { return n.events }

// InFlight visits the frames that were delivered and have not arrived.
func (n *NIC) InFlight(visit func(port int, f *wire.Frame)) { n.queue.InFlight(visit) }

// SenderRecord returns the record of the flow that QP qp sends, nil if it
// sends none.
func (n *NIC) SenderRecord(qp uint32) *record.Sender {
	if i := qp - FirstQP; uint64(i) < uint64(len(n.qps)) && n.qps[i].send != nil {
		return &n.qps[i].send.record
	}
	return nil
}

// ReceiverRecord returns the record of the flow that QP qp receives, nil if
// it receives none.
func (n *NIC) ReceiverRecord(qp uint32) *record.Receiver {
	if i := qp - FirstQP; uint64(i) < uint64(len(n.qps)) && n.qps[i].recv != nil {
		return &n.qps[i].recv.record
	}
	return nil
}

// wrong names the flow in an error of configuration.
func (n *NIC) wrong(flow string, err error) error {
	return fmt.Errorf("NIC %s: flow %s: %w", n.name, flow, err)
}
