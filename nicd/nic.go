package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/fault"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/nicd/internal/clock"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// ends are the ends of flows at a NIC.
type ends struct {
	qps    []qp // by number, from FirstQP
	source Source
	spare  spare
}

// NIC is one node with one port, port 0. Make one with New, add the ends of
// its flows, then run it.
type NIC struct {
	name       string
	profile    profile.NIC
	attachment fabric.Attachment
	tx, rx     link.Serializer
	address    address
	clock      *clock.Clock
	seed       uint64

	queue *event.Queue
	ends
	peers []*peerEnd // connections to real stacks
	ranks []*rank
	// out is the outbox of the call of Advance under way.
	out *fabric.Outbox

	port port
	ownFaults
	// intake is nil if the host takes all that comes.
	intake *intake

	// census counts the flows towards this NIC.
	census     census
	completion completion
	nonsense   nonsense
	events     uint64
	// meters count what flows do over time, by the number of their series.
	recording Recording
	meters    map[int]*record.ProgressMeter
	// scratch is by kind of signal, the last for flows without one.
	scratch [len(signalKinds) + 1]*scratch
	// batch waits for a decision delay to pass.
	batch  batch
	remote remote
}

// address is that of a NIC's port.
type address struct {
	ip  uint32
	mac wire.MAC
}

// completion counts the sized flows that have not ended; last is the end of the last of them.
type completion struct {
	pending int
	last    unit.Time
	// restless keeps every end of a flow from resting, which nothing shows; it is for tests that look into ends.
	restless bool
}

// qp is the end of a flow behind a QP number: a *sender or a *receiver, or resting. peer is the address of the other
// end.
type qp struct {
	end  any
	peer uint32
}

// send and recv return an end under way, nil of another.
func (q *qp) send() *sender {
	flow, _ := q.end.(*sender)
	return flow
}

func (q *qp) recv() *receiver {
	flow, _ := q.end.(*receiver)
	return flow
}

var _ fabric.Node = (*NIC)(nil)

// New returns a NIC without flows.
func New(config Config) *NIC {
	a := config.Attachment
	nic := &NIC{
		name:       config.Name,
		profile:    config.Profile,
		attachment: a,
		tx:         link.NewSerializer(a.Accounting, a.Tx.Rate).WhenSlow(a.TxSlow),
		rx:         link.NewSerializer(a.Accounting, a.Rx.Rate).WhenSlow(a.RxSlow),
		address:    address{config.IP, config.MAC},
		recording:  config.Recording,
		meters:     map[int]*record.ProgressMeter{},
		clock:      clock.New(config.Profile.Clock, config.Seed, config.Name),
		seed:       config.Seed,
		queue:      event.NewQueue(numSources),
		ends:       ends{qps: make([]qp, 0, config.Ends), source: sourceOr(config.Source)},
		intake:     newIntake(config.Profile.Host.Intake),
		port:       newPort(&config),
		census:     census{version: 1},
	}
	nic.faults = fault.New(nic, faultModels, faultsOf(&config))
	nic.port.guarded = nic.port.faults != nil || nic.intake != nil
	nic.port.meter.OfPort(a.Tx.Rate, &nic.port.busyUntil)
	nic.awaitLinkChange()
	awaitNotice(nic)
	preparePauses(nic)
	nic.faults.Schedule(func(at unit.Time, change uint32) {
		nic.queue.Schedule(at, event.Timer, 0, timerArg(jobFault, change))
	})
	return nic
}

// Deliver takes a frame that started at the far end.
func (n *NIC) Deliver(_ int, start unit.Time, length unit.Bytes, frame *wire.Frame) unit.Time {
	at := start.Add(n.rx.TimeAt(start, length, frame) + n.attachment.Rx.Latency)
	n.queue.Arrive(0, at, length, frame)
	return at
}

// Advance handles all events before horizon.
func (n *NIC) Advance(horizon unit.Time, out *fabric.Outbox) unit.Time {
	n.out = out
	var next event.Event
	for n.queue.PopBefore(horizon, &next) {
		n.events++
		switch next.Kind {
		case event.Frame, event.PFC:
			n.arrive(next.At, next.Frame)
		case event.Timer:
			n.expire(next.At, job(next.Arg>>32), uint32(next.Arg))
		case event.TxEnd:
			n.port.txEndPending = false
		case event.LinkChange:
			changeLink(n, next.At, next.Arg)
		}
		if n.port.waiting|n.port.pfcPending != 0 || n.port.ready.head != nil {
			n.serve(next.At)
		}
	}
	if n.remote.late != nil {
		fillLate(n)
	}
	n.out = nil
	return n.queue.Next()
}

// expire hands a timer event to its job. An end that rests is nil there, and does nothing.
func (n *NIC) expire(now unit.Time, job job, index uint32) {
	switch job {
	case jobResume:
		n.expirePauses(now)
	case jobPacer:
		n.pacerFired(n.qps[index].send(), now)
	case jobWake:
		n.wake(n.qps[index].send(), now)
	case jobApplyDelayed:
		n.applyDelayed(n.qps[index].send(), now)
	case jobRTO:
		n.timeout(n.qps[index].send(), now)
	case jobStart:
		n.start(sending(n, index), now)
	case jobStop:
		n.stop(n.qps[index].send(), now)
	case jobFlush:
		n.flushAck(n.qps[index].recv(), now)
	case jobReorder:
		n.gapExpired(n.qps[index].recv(), now)
	case jobIdle:
		n.checkIdle(n.qps[index].recv(), now)
	case jobAnnounceFlow:
		n.census.announceFlow()
	case jobWithdrawFlow:
		withdraw(n, index)
	case jobRankStart:
		n.startRank(int(index), now)
	case jobPhaseEnd:
		n.endPhase(n.ranks[index], now)
	case jobFault:
		n.faults.Change(n, index)
	case jobRefresh:
		n.port.announce(n.storm.refreshDue(index, now))
	case jobRepair:
		repair(n, n.qps[index].send(), now)
	case jobGroupUpdate:
		n.updateGroup(n.qps[index].send(), now)
	case jobPeer:
		n.peers[index].wake(n, now)
	}
}

// arrive takes a frame whose last bit arrived, unless the link lost it, or that leaves the receive buffer. A
// connected QP takes packets of its peer's address only, CNPs among them (IBA volume 1, 9.6.1: validation
// against the context of the QP; check_addr of Linux's soft-RoCE does the same).
func (n *NIC) arrive(now unit.Time, frame *wire.Frame) {
	if n.port.guarded && intercept(n, now, frame) {
		return
	}
	rec := n.port.record
	length := uint64(frame.Len())
	rec.RxFrames++
	rec.RxBytes += length
	if frame.IsPFC() {
		rec.RxPFCFrames++
		rec.RxPFCBytes += length
		n.receivePause(now, frame)
		n.out.Free(frame)
		return
	}
	i := frame.DestQP - FirstQP
	if uint64(i) >= uint64(len(n.qps)) || frame.DstIP != n.address.ip || frame.IsDatagram() { // a datagram is for no QP
		if len(n.peers) > 0 && takePeers(n, now, frame) {
			return
		}
		n.drop(now, fabric.DropUnknownQP, frame)
		return
	}
	end := &n.qps[i]
	if frame.SrcIP != end.peer {
		n.drop(now, fabric.DropWrongPeer, frame)
		return
	}
	switch send, recv := end.send(), end.recv(); {
	case recv != nil && requests[frame.Opcode].isRequest:
		n.receive(recv, now, frame)
	case send != nil && frame.Opcode == wire.Acknowledge:
		n.acknowledge(send, now, frame)
	case send != nil && frame.Opcode == wire.CNP:
		n.receiveCNP(send, now, frame)
		n.out.Free(frame)
	default:
		takeAtRest(n, i, now, frame)
	}
}

// intercept reports whether a frame is lost on the link, or goes into the receive buffer or finds it full.
func intercept(n *NIC, now unit.Time, frame *wire.Frame) bool {
	if n.intake != nil && n.intake.takenOut(&n.port, frame) {
		return false
	}
	if faults := n.port.faults; faults != nil {
		start := n.rx.StartOf(now.Add(-n.attachment.Rx.Latency), frame.Len(), frame)
		if reason := faults.Lost(frame, start); reason != fabric.DropNone {
			n.port.lost(frame)
			n.out.Drop(now, 0, reason, frame)
			return true
		}
	}
	return n.intake != nil && takeIn(n, now, frame)
}

// drop counts a frame that arrived and is refused.
func (n *NIC) drop(now unit.Time, reason fabric.DropReason, frame *wire.Frame) {
	n.port.record.Drop(reason, frame.Len())
	if now >= n.port.meter.End {
		n.port.closeBin(now)
	}
	n.port.meter.Dropped++
	n.out.Drop(now, 0, reason, frame)
}

// Pending returns how many sized flows that this NIC sends have not ended.
func (n *NIC) Pending() int { return n.completion.pending }

// LastCompletion returns when the last of its sized flows ended, 0 if none
// has.
func (n *NIC) LastCompletion() unit.Time { return n.completion.last }

// Fault returns the first nonsensical decision of an algorithm, nil if there
// was none. It names flow, algorithm and event. The flow has been stopped since.
func (n *NIC) Fault() error { return n.nonsense.err }

// Events returns how many events the NIC handled.
func (n *NIC) Events() uint64 { return n.events }

// InFlight visits the frames that were delivered and have not arrived, or that wait for the host.
func (n *NIC) InFlight(visit func(port int, frame *wire.Frame)) {
	n.queue.InFlight(func(_ int, frame *wire.Frame) { visit(0, frame) })
}

// flowError names the NIC and the flow in an error.
func (n *NIC) flowError(flow string, err error) error {
	return fmt.Errorf("NIC %s: flow %s: %w", n.name, flow, err)
}
