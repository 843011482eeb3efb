package pc4

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
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
	// base is the base rate in force, 0 if it must be computed again.
	base unit.BitRate
}

// Group implements cc.Receiver.
func (r *receiver) Group(group cc.Group) {
	r.group, r.base = group, 0
	if r.receiverCounts {
		r.group.Flows = r.counted
	}
}

// Data implements cc.Receiver.
func (r *receiver) Data(arrival *cc.Arrival, feedback *cc.Feedback) {
	feedback.OneWayDelay = unit.Duration(arrival.Clock-arrival.TxTime-arrival.Baseline) * unit.Nanosecond
	if !r.baseRate {
		return
	}
	if r.receiverCounts && arrival.Active != r.counted {
		r.counted, r.group.Flows, r.base = arrival.Active, arrival.Active, 0
	}
	if r.base == 0 {
		r.base = r.computeBaseRate(r.line, r.group)
	}
	feedback.BaseRate = r.base
}

// computeBaseRate is COMPUTE_BASE_RATE of Algorithm 1 and Table I, rounded
// down to whole kb/s as it travels, at least 1 kb/s.
func (s *settings) computeBaseRate(line unit.BitRate, group cc.Group) unit.BitRate {
	return max(line/unit.BitRate(s.divisor(group))/unit.Kbps, 1) * unit.Kbps
}

// divisor divides the line rate: it is n, n-1 or the entry of another table, see parameters n_mode and all_reduce. An
// unknown n counts as 1.
func (s *settings) divisor(group cc.Group) int {
	n := group.Flows
	switch {
	case group.Mode == cc.ModeAllReduce && (s.allReduce == "ring" || s.allReduce == "hd"):
		n = 1
	case group.Mode == cc.ModeAllReduce && s.allReduce == "ps" && group.Ranks > 0:
		n = group.Ranks - 1
	case s.paperN && (group.Mode == cc.ModeAllToAll || group.Mode == cc.ModeAllGather):
		if group.Ranks > 1 { // Flows / (Ranks-1) flows come from each other rank
			n = group.Ranks * group.Flows / (group.Ranks - 1)
		}
		n--
	}
	return max(n, 1)
}
