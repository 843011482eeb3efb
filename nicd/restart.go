package nicd

import (
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// restart is the change of a QP's rate and window when it begins to send again after an idle time, see profile.Restart.
//
// Call bound for each decision before it comes into force, and acknowledged with each progress.
type restart struct {
	profile.Restart
	// asked is the decision that came last, as the algorithm made it.
	asked cc.Decision
	// free is set while the QP sends at line rate and asked does not count, window is the bound of RestartSlow; 0 for
	// none. It ends at full, the base RTT at line rate.
	free         bool
	window, full unit.Bytes
	first        unit.Bytes
	line         unit.BitRate
}

// newRestart returns the restart of a QP, nil if it goes on as it was.
func newRestart(settings profile.Restart, facts *cc.Facts) *restart {
	if settings.Rule == profile.RestartKeep {
		return nil
	}
	return &restart{
		Restart: settings,
		asked:   cc.Decision{Rate: facts.LineRate},
		first:   profile.RestartPackets * facts.MTU,
		full:    facts.LineRate.BytesIn(facts.BaseRTT),
		line:    facts.LineRate,
	}
}

// due reports whether a QP that is idle since an instant has been so for long enough.
func (r *restart) due(since, now unit.Time, timeout unit.Duration) bool {
	if r.Idle > 0 {
		timeout = r.Idle
	}
	return now.Sub(since) >= timeout
}

// begin lets the QP begin again.
func (r *restart) begin() {
	if r.Rule == profile.RestartLine {
		r.free = true
		return
	}
	if r.window = r.first; r.window >= r.full {
		r.window = 0
	}
}

// bound turns a decision of the algorithm into the one in force.
func (r *restart) bound(decision *cc.Decision) {
	before := &r.asked
	if r.free && (decision.Rate < before.Rate || decision.Gap > before.Gap || narrower(decision.Window, before.Window)) {
		r.free = false
	}
	r.asked = *decision
	if r.free {
		decision.Rate, decision.Gap, decision.Window = r.line, 0, 0
	}
	if narrower(r.window, decision.Window) {
		decision.Window = r.window
	}
}

// narrower reports whether a window is smaller than another one, 0 being none.
func narrower(a, b unit.Bytes) bool { return a > 0 && (b == 0 || a < b) }

// acknowledged widens the window of RestartSlow and reports whether that changed the decision in force.
func (r *restart) acknowledged(bytes unit.Bytes) bool {
	if r.window == 0 {
		return false
	}
	if r.window += bytes; r.window >= r.full {
		r.window = 0
	}
	return true
}

// restartIdle lets a flow whose next message may be sent begin again, if it was idle for long enough.
func restartIdle(n *NIC, flow *sender, now unit.Time) {
	account, r := &flow.reliability, flow.decisions.restart
	if account.high == 0 || account.waiting() || account.next.packet < account.open ||
		!r.due(flow.retransmission.since, now, flow.retransmission.after) {
		return
	}
	flow.record.IdleRestarts++
	r.begin()
	reapply(n, flow, now)
}

// reapply puts the algorithm's last decision into force again, as the restart bounds it now.
func reapply(n *NIC, flow *sender, now unit.Time) {
	n.apply(flow, &change{Decision: flow.decisions.restart.asked}, now)
}
