package nicd

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// details are an algorithm's requests beyond the common ones: losses, the receiver's data, and for the packet that
// caused an ACK its way and how it arrived. A flow with any of these makes its events in a scratch of its own.
type details struct {
	asked          bool
	received, path bool
	// srcPort is the flow's. resent and ooo are of the packet that caused the newest ACK.
	srcPort     uint32
	resent, ooo bool
}

// askedDetails returns what the signals ask for.
func askedDetails(signals cc.Signals, srcPort uint16) details {
	return details{
		asked:    signals.Loss || signals.Received || signals.Path,
		received: signals.Received,
		path:     signals.Path,
		srcPort:  uint32(srcPort),
	}
}

// acked takes an ACK of all packets before to, which the account has not taken yet. The packet
// that caused it is the last of them, or one that an out-of-order receiver keeps beyond a gap.
func (d *details) acked(account *reliability, to int64) {
	if account.board != nil {
		d.resent, d.ooo = account.board.cameAgain, account.board.heardBeyond
		return
	}
	d.resent = to-1 < account.clean
	d.ooo = account.outOfOrder && to <= account.una
}

// fill puts the requested details into an event.
func (d *details) fill(event *cc.Event, account *reliability) {
	if d.received {
		event.Received = account.acked
		if account.board != nil {
			event.Received += account.board.kept
		}
	}
	if d.path {
		ack := event.Kind == cc.EventAck
		event.Path, event.Resent, event.OOO = d.srcPort, ack && d.resent, ack && d.ooo
	}
}

// notifyLoss reports payload that the NIC takes for lost to an algorithm that asks for it.
func notifyLoss(n *NIC, flow *sender, cause cc.LossCause, lost unit.Bytes, now unit.Time) {
	if !flow.signals.Loss || lost <= 0 {
		return
	}
	event := &flow.scratch.event
	event.Cause, event.Lost = cause, lost
	n.notifyAlgorithm(flow, cc.EventLoss, now, 0, 0)
	event.Cause, event.Lost = cc.LossNone, 0 // which are of this event alone
}
