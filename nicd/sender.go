package nicd

import (
	"fmt"

	"github.com/rocelab/rocelab/emulator/event"
	"github.com/rocelab/rocelab/emulator/link"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// sendState is where a sending QP waits.
type sendState uint8

const (
	idle   sendState = iota // nothing to send, or the window is closed
	paced                   // waits for its pacer; a jobPacer event is pending
	queued                  // in the port's ready list, or out of it during a pause
)

// sender is the sending end of a flow: a QP; each of its parts has its own type and file. The NIC moves it from state
// to state with reschedule, and starts its packets with send.
type sender struct {
	next    *sender // in a list
	index   uint32  // in NIC.qps
	state   sendState
	class   uint8
	running bool // started, not ended, its algorithm not at fault
	faulty  bool // its algorithm is at fault
	// uncontrolled is set if its algorithm declares that it does not react to congestion.
	uncontrolled bool

	pacer          pacer
	decisions      decisions
	reliability    reliability
	retransmission retransmission
	messages       messages
	waiters        waitList // blocked on an ACK of this flow
	groupSize      groupSize

	timers timers

	algorithm cc.Sender
	batcher   hosting.Batcher
	signals   cc.Signals
	signal    flowSignal
	scratch   *scratch
	rtt       unit.Duration // the latest sample, 0 for none
	sent      unit.Bytes    // cumulative, as counted on the wire
	payload   unit.Bytes    // the same without headers

	clocks    clocks
	meter     *record.ProgressMeter // perhaps of other flows, too
	values    *record.ValuesMeter   // nil where none are recorded
	record    record.Sender
	identity  identity
	templates [numTemplates]template
}

// timers of a sender: pacer fires at the pacer's next, wake at a decision's WakeAt, repair when the
// scoreboard is to be looked at.
type timers struct{ pacer, wake, repair link.Timer }

// identity is the names of a flow and its algorithm, and where its messages go.
type identity struct {
	flow       uint32 // the flow's number in the plan
	name       string
	controller cc.Controller
	address    uint64 // the receiver's address of the flow's first byte
	// carrier is the connection to a real stack whose requests are the flow's packets, nil for packets of its own.
	carrier *peerEnd
}

// AddSender adds the sending end of a flow. The error names the fault and the allowed values.
func (n *NIC) AddSender(config SenderConfig) error {
	if err := config.end().check(n.nextQP()); err != nil {
		return n.flowError(config.Name, err)
	}
	if err := checkSender(&config); err != nil {
		return n.flowError(config.Name, err)
	}
	algorithm := config.Controller.NewSender(Facts(config, n.tx.Rate(), n.tx.Accounting()))
	if algorithm == nil {
		return n.flowError(config.Name,
			&AlgorithmError{fmt.Errorf("%s made no sender for it", controllerName(config.Controller))})
	}
	nameFlow(algorithm, config.Name)
	noteAsked(n, algorithm)
	index := uint32(len(n.qps))
	n.qps = append(n.qps, qp{end: &plannedSender{algorithm}, peer: config.Peer.IP})
	keepSender(n, &config)
	if config.Messages != nil || n.completion.restless {
		sending(n, index)
	}
	if config.Size > 0 {
		n.completion.pending++
	}
	n.queue.Schedule(config.Start, event.Timer, 0, timerArg(jobStart, index))
	if config.Stop > 0 {
		n.queue.Schedule(config.Stop, event.Timer, 0, timerArg(jobStop, index))
	}
	if updates := config.GroupUpdates; config.Controller.Signals().Group && len(updates) > 0 {
		n.awaitGroupUpdate(updates, index)
	}
	return nil
}

// newSender returns the sending end of a flow that has not begun, behind the QP at index.
func newSender(n *NIC, index uint32, config *SenderConfig, algorithm cc.Sender) *sender {
	dscp := n.profile.DataDSCP
	if config.DSCP >= 0 {
		dscp = uint8(config.DSCP)
	}
	signals := config.Controller.Signals()
	layout, line := newLayout(config.Size, config.Message, config.MTU), n.tx.Rate()
	flow := n.spare.takeSender()
	*flow = sender{
		index:       index,
		class:       n.profile.ClassOf[dscp],
		pacer:       newPacer(n.tx.Accounting(), line, n.profile.Repace),
		decisions:   newDecisions(line, n.profile.SendWindow, signals.OwnData > 0),
		reliability: newReliability(layout, config.FirstPSN, n.profile.AckEvery, n.profile.OutOfOrder),
		retransmission: newRetransmission(&n.profile, func() *chance.Stream {
			return chance.New(n.seed, n.name+"/rto/"+config.Name)
		}),
		uncontrolled: config.Uncontrolled,
		algorithm:    algorithm,
		signals:      signals,
		signal:       newFlowSignal(signals),
		clocks:       newClocks(record.NewSendMeter(n.recording.Sends), config.Outages),
		record:       newSenderRecord(config),
		identity: identity{
			flow:       config.Flow,
			name:       config.Name,
			controller: config.Controller,
			address:    uint64(config.Peer.QP) << 40,
		},
	}
	if n.profile.Host.Restart.Rule != profile.RestartKeep {
		facts := Facts(*config, line, n.tx.Accounting())
		flow.decisions.restart = newRestart(n.profile.Host.Restart, &facts)
	}
	flow.scratch = n.scratchOf(flow.signal.kind)
	if flow.signal.details = askedDetails(signals, config.SrcPort); flow.signal.details.asked {
		flow.scratch = new(scratch)
	}
	flow.retransmission.resumes = newResumes(config)
	flow.retransmission.watches = flow.retransmission.watches || flow.retransmission.resumes != nil
	flow.batcher = batcherOf(flow.algorithm)
	flow.meter = n.meterOf(config.Series)
	flow.values = n.newValuesMeter(config.Values, flow.algorithm)
	if signals.Group {
		flow.groupSize = groupSize{config.Group.Flows, config.GroupUpdates}
	}
	if config.Messages != nil {
		flow.messages = newMessages(config.Messages, config.Rank, flow, &flow.record)
		flow.reliability.blockMessages()
	}
	if carry(n, flow) {
		return flow
	}
	flow.messages.work = newWork(n.profile.Host.MessageLatency, n.profile.Host.MessageCost)
	if n.profile.Selective {
		facts := Facts(*config, line, n.tx.Accounting())
		flow.reliability.repairSelectively(window(n, &facts, config.Path), n.profile.ReorderTime, facts.BaseRTT)
	}
	flow.templates = n.newTemplates(&flow.reliability, config, dscp)
	return flow
}

// newSenderRecord returns the record of a flow that has not begun.
func newSenderRecord(config *SenderConfig) record.Sender {
	r := *record.NewSender()
	r.Started = config.Start
	if config.Outages != nil {
		r.Resumes = make([]record.Resume, len(config.Outages))
	}
	return r
}

func (n *NIC) start(flow *sender, now unit.Time) {
	flow.running = true
	if !flow.messages.wait() {
		flow.clocks.begin(now)
	}
	if flow.messages.work != nil {
		flow.awaitWork()
	}
	flow.meter.Decide(flow.pacer.rate, now)
	if flow.values != nil {
		flow.values.Begin(now)
	}
	n.notifyAlgorithm(flow, cc.EventStart, now, 0, 0)
	if flow.identity.carrier != nil {
		flow.identity.carrier.begin(n, now)
	}
	n.reschedule(flow, now)
}

// stop ends a flow in place.
func (n *NIC) stop(flow *sender, now unit.Time) {
	if flow != nil && flow.running && flow.reliability.stop() {
		flow.account(&n.port, now, flow.state)
		n.finish(flow, now)
	}
}

// finish ends the flow if all of it is acknowledged. A sized flow that was
// stopped short ends without being completed.
func (n *NIC) finish(flow *sender, now unit.Time) {
	account := &flow.reliability
	if !account.ended() {
		return
	}
	if account.complete() {
		flow.record.Completed = now
		n.out.Note(trace.Completed, now, 0, uint64(flow.identity.flow)<<32^uint64(account.acked))
	}
	endFlow(n, flow, now)
}

// endFlow ends a flow that is acknowledged, or that is in error.
func endFlow(n *NIC, flow *sender, now unit.Time) {
	flow.running = false
	flow.clocks.end(now, flow.due())
	if flow.reliability.layout.size > 0 {
		n.completion.pending--
		n.completion.last = now
	}
	restSender(n, flow)
}

// admit lets the next message of a flow be sent: all that it waited for has
// happened, the last of it at place by. The messages behind it follow until one has to wait.
func (n *NIC) admit(flow *sender, by int, now unit.Time) {
	if len(flow.record.Messages) == 0 {
		flow.clocks.begin(now)
	}
	if flow.decisions.restart != nil {
		restartIdle(n, flow, now)
	}
	more := flow.messages.admit(by, now, &flow.record)
	flow.reliability.admitMessage()
	if flow.messages.work != nil {
		flow.awaitWork()
	}
	if more {
		n.proceed(&flow.messages.waiter, now)
	}
	n.reschedule(flow, now)
}

// sendable reports whether, pacer aside, a packet may leave.
func (q *sender) sendable() bool { return q.running && q.reliability.sendable(q.decisions.window) }

// reschedule puts a QP that is idle or paced into its proper state. A QP that is due no later than the port is free
// joins the ready list at once, which saves an event a packet.
func (n *NIC) reschedule(flow *sender, now unit.Time) {
	if flow.state == queued {
		return
	}
	before := flow.state
	switch {
	case !flow.sendable():
		flow.state = idle
	case flow.pacer.next <= max(now, n.port.busyUntil):
		flow.state = queued
		n.port.ready.push(flow)
		if flow.clocks.wait == record.PortBusy && !n.port.stands() {
			return
		}
	default:
		flow.state = paced
		n.arm(&flow.timers.pacer, flow.pacer.next, jobPacer, flow.index)
		if flow.clocks.wait == record.PortBusy {
			return
		}
	}
	flow.account(&n.port, now, before)
}

// pacerFired is the pacer's event.
func (n *NIC) pacerFired(flow *sender, now unit.Time) {
	if flow != nil && flow.timers.pacer.Fired(now) && flow.state == paced {
		n.reschedule(flow, now)
	}
}

// send starts the QP's next packet now.
func (n *NIC) send(flow *sender, now unit.Time) {
	if flow.identity.carrier != nil {
		flow.identity.carrier.send(n, now)
		return
	}
	cursor, resent, oldest := flow.reliability.take(now)
	template := &flow.templates[flow.reliability.layout.templateAt(&cursor)]
	frame := newFrame(n.out, &template.frame)
	if oldest {
		flow.retransmission.since = now
		awaitRepair(n, flow)
	}
	flow.pacer.started(now, template.bytes)
	if flow.messages.work != nil {
		flow.worked(&cursor, now, resent)
	}
	n.fill(frame, flow, template, &cursor, now, resent)
	if !flow.retransmission.timer.Pending() {
		flow.retransmission.count(flow.reliability.onTheWay())
		n.arm(&flow.retransmission.timer, now.Add(flow.retransmission.after), jobRTO, flow.index)
	}
	flow.sent += template.bytes
	flow.payload += template.payload
	flow.record.Packets++
	flow.record.WireBytes += template.bytes
	switch {
	case resent:
		flow.record.Resent++
	case cursor.packet == 0:
		flow.record.FirstSent = now
	}
	serial := template.serial
	if n.tx.IsSlow() {
		serial = n.tx.TimeAt(now, frame.Len(), frame)
	}
	n.emit(now, frame, serial, flow.class)
	flow.clocks.sent(serial, n.port.busyUntil, resent)
	if flow.messages.laps != nil && !resent {
		flow.messages.sent(&cursor, flow.reliability.layout.mtu, &flow.clocks.spent)
	}
	if fired, ok := flow.decisions.bytesFired(flow.sent); ok {
		n.notifyFired(flow, cc.EventSent, now, int64(fired))
	}
}

// fill makes frame, a copy of its template, the packet at cursor, which leaves now.
func (n *NIC) fill(frame *wire.Frame, flow *sender, template *template, cursor *cursor, now unit.Time, resent bool) {
	frame.PSN = flow.reliability.psn(cursor.packet)
	if cursor.from == cursor.start { // First and Only carry the RETH
		frame.VA = flow.identity.address + uint64(cursor.start)
		frame.DMALen = uint32(cursor.end - cursor.start)
	}
	overdue := flow.retransmission.overdue(flow.pacer.next)
	if flow.reliability.asksForAck(cursor, flow.decisions.window, overdue) {
		frame.AckExt |= wire.AckReq
	}
	if flow.signal.signal != nil {
		flow.signal.signal.fillData(frame, departure{
			clock:    n.clock,
			at:       now,
			baseline: template.baseline,
			resent:   resent,
			rtt:      flow.rtt,
			own:      &flow.decisions.own,
		})
	}
}
