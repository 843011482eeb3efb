package nicd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// takeReport takes an ACK or NAK of all packets before to for a flow that repairs selectively, with what it
// reports beyond. Call reliability.acknowledge and hear after it.
func takeReport(flow *sender, now unit.Time, frame *wire.Frame, to int64) {
	flow.settle(now)
	board := flow.reliability.board
	reports := frame.Extension() == wire.ExtSelective
	if board.report(to, now); reports {
		board.reportBeyond(max(to, flow.reliability.una), flow.reliability.packet(frame.ExtA), frame.ExtTime, now)
	}
	board.sample(now)
	board.heardBeyond = reports && to <= flow.reliability.una
	board.beside = reports && flow.signal.inAck != wire.ExtNone
}

// hear notifies the algorithm of a flow that repairs selectively of what the ACK or NAK showed to be lost, and of the
// ACK with its sample of the RTT. Of what a report beside the ACK of the same packet brought it hears with that ACK,
// which has the signal.
func hear(n *NIC, flow *sender, now unit.Time, rtt unit.Duration, nak bool) {
	board := flow.reliability.board
	arrived, lost := board.arrived, board.shown+board.judge(now)
	board.arrived, board.shown = 0, 0
	if arrived > 0 {
		flow.retransmission.since = now
		watchProgress(n, flow)
	}
	if nak {
		lost += flow.reliability.goBack(flow.reliability.una)
	}
	notifyLoss(n, flow, cc.LossGap, lost, now)
	awaitRepair(n, flow)
	if rtt > 0 {
		flow.rtt = rtt // for data that carry it
	}
	switch board.untold += arrived; {
	case nak:
		n.notifyAlgorithm(flow, cc.EventNak, now, board.told(), 0)
	case flow.signals.Acks && !board.beside:
		n.notifyAlgorithm(flow, cc.EventAck, now, board.told(), rtt)
	}
}

// awaitRepair has the scoreboard, if there is one, be looked at when that is due. Call it when a packet leaves while no
// other is on its way, when something arrived, and when the scoreboard was looked at.
func awaitRepair(n *NIC, flow *sender) {
	if flow.reliability.board == nil {
		return
	}
	if at := flow.reliability.board.due(); at != unit.Never {
		n.arm(&flow.timers.repair, at, jobRepair, flow.index)
	}
}

// repair handles the event at which the scoreboard is to be checked.
func repair(n *NIC, flow *sender, now unit.Time) {
	if flow == nil || !flow.timers.repair.Fired(now) || !flow.running || !flow.reliability.waiting() {
		return
	}
	flow.settle(now)
	notifyLoss(n, flow, cc.LossGap, flow.reliability.board.look(now), now)
	awaitRepair(n, flow)
	n.reschedule(flow, now)
	flow.account(&n.port, now, flow.state)
}

// window returns the number of packets that a flow with selective repair leaves unacknowledged, the same at both ends.
func window(n *NIC, facts *cc.Facts, path fabric.Path) int64 {
	slowest := path[0].Rate
	for _, hop := range path {
		slowest = min(slowest, hop.Rate)
	}
	return n.profile.WindowOver(facts.BaseRTT, slowest.SerialTime(facts.PacketBytes))
}
