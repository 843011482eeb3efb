package oracle

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// tierOf returns the destination of a port of a switch.
func (s *seen) tierOf(place, port int) plan.Tier {
	hosts := func(node plan.NodeID) bool {
		for i := range s.plan.Links {
			a, b := s.plan.Links[i].A.Node, s.plan.Links[i].B.Node
			if a == node && s.isHost(b) || b == node && s.isHost(a) {
				return true
			}
		}
		return false
	}
	far := s.farOf(plan.End{Node: s.plan.SwitchNode(place), Port: port})
	switch {
	case s.plan.KindOf(far) == plan.KindWAN:
		return plan.TierDCI
	case s.isHost(far):
		return plan.TierHost
	case hosts(far):
		return plan.TierLeaf
	}
	return plan.TierSpine
}

func (s *seen) isHost(node plan.NodeID) bool {
	return s.plan.KindOf(node) == plan.KindNIC || s.plan.KindOf(node) == plan.KindEdge
}

// farOf is the node at the other end of the link at a port.
func (s *seen) farOf(end plan.End) plan.NodeID {
	for i := range s.plan.Links {
		switch end {
		case s.plan.Links[i].A:
			return s.plan.Links[i].B.Node
		case s.plan.Links[i].B:
			return s.plan.Links[i].A.Node
		}
	}
	return -1
}

// notExceeded is the length that the worst queue did not exceed during a share of the run; not kept of a run without
// a recording.
func (s *seen) notExceeded(q *queues, share float64) float64 {
	end, worst := s.end, 0.0
	if s.plan.Record.Off {
		return math.NaN()
	}
	for _, steps := range q.lengths {
		lasted := map[int64]float64{0: float64(steps[0].at)}
		for i, s := range steps {
			until := end
			if i+1 < len(steps) {
				until = steps[i+1].at
			}
			lasted[s.bytes] += float64(until - s.at)
		}
		lengths := make([]int64, 0, len(lasted))
		for l := range lasted {
			lengths = append(lengths, l)
		}
		slices.Sort(lengths)
		so := 0.0
		for _, l := range lengths {
			if so += lasted[l]; lasted[l] > 0 && so >= share*float64(end) {
				worst = max(worst, float64(l))
				break
			}
		}
	}
	return worst
}

// allWaits are those at all ports, and their sum.
func (q *queues) allWaits() (list []unit.Duration, sum float64) {
	for tier := range plan.NumTiers {
		for _, w := range q.waits[tier] {
			list, sum = append(list, w), sum+float64(w)
		}
	}
	return list, sum
}

// waitShare returns a tier's share of all waiting; NaN if nothing waited or no port leads there.
func (s *seen) waitShare(q *queues, tier plan.Tier) float64 {
	there, sum := false, 0.0
	for place := range s.plan.Switches {
		for port := range s.plan.Switches[place].Links {
			there = there || s.tierOf(place, port) == tier
		}
	}
	for _, w := range q.waits[tier] {
		sum += float64(w)
	}
	if _, all := q.allWaits(); there && all > 0 {
		return sum / all
	}
	return math.NaN()
}
