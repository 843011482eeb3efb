package pc4

import (
	"github.com/rocelab/rocelab/emulator/unit"
	"github.com/rocelab/rocelab/plugins/cc"
)

// receiver is Algorithm 1: it fills the ACK of each data packet with
//
//	base_rate = COMPUTE_BASE_RATE
//	one_way_delay = now - tx_time - baseline
type receiver struct {
	*settings
	line  unit.BitRate
	group cc.Group
	// counted is the NIC's own count of flows, with n_source receiver.
	counted int
	// base is the base rate in force, 0 when it must be made anew.
	base unit.BitRate
}

// Group implements cc.Receiver.
func (r *receiver) Group(g cc.Group) {
	r.group, r.base = g, 0
	if r.receiverCounts {
		r.group.Flows = r.counted
	}
}

// Data implements cc.Receiver.
func (r *receiver) Data(a *cc.Arrival, fb *cc.Feedback) {
	fb.OneWayDelay = unit.Duration(a.Clock-a.TxTime-a.Baseline) * unit.Nanosecond
	if !r.baseRate {
		return
	}
	if r.receiverCounts && a.Active != r.counted {
		r.counted, r.group.Flows, r.base = a.Active, a.Active, 0
	}
	if r.base == 0 {
		r.base = r.computeBaseRate(r.line, r.group)
	}
	fb.BaseRate = r.base
}

// computeBaseRate is COMPUTE_BASE_RATE of Algorithm 1 and Table I, rounded
// down to whole kb/s as it travels, at least 1 kb/s.
func (s *settings) computeBaseRate(line unit.BitRate, g cc.Group) unit.BitRate {
	return max(line/unit.BitRate(s.divisor(g))/unit.Kbps, 1) * unit.Kbps
}

// divisor is what the line rate is divided by: n, n-1 or the entry of another
// table, see parameters n_mode and all_reduce. An unknown n counts as 1.
func (s *settings) divisor(g cc.Group) int {
	n := g.Flows
	switch {
	case g.Mode == cc.ModeAllReduce && (s.allReduce == "ring" || s.allReduce == "hd"):
		n = 1
	case g.Mode == cc.ModeAllReduce && s.allReduce == "ps" && g.Ranks > 0:
		n = g.Ranks - 1
	case s.paperN && (g.Mode == cc.ModeAllToAll || g.Mode == cc.ModeAllGather):
		if g.Ranks > 1 { // Flows / (Ranks-1) flows come from each other rank
			n = g.Ranks * g.Flows / (g.Ranks - 1)
		}
		n--
	}
	return max(n, 1)
}
