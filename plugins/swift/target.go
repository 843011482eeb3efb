package swift

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/elementary"
)

// scaleFlows makes the constants of flow scaling (section 3.5):
//
//	alpha = fs_range / (1/sqrt(fs_min_cwnd) - 1/sqrt(fs_max_cwnd))
//	beta = -alpha / sqrt(fs_max_cwnd)
//
// With fs_min_cwnd 0.1 and fs_max_cwnd 100 alpha is 0.3266 fs_range.
func (s *settings) scaleFlows(fsMinCwnd, fsMaxCwnd float64) {
	rootMin, rootMax := elementary.Sqrt(fsMinCwnd), elementary.Sqrt(fsMaxCwnd)
	s.alpha = s.fsRange / (1/rootMin - 1/rootMax)
	s.offset = -s.alpha / rootMax
}

// pathTarget is base_target + #hops x hop_target, in ps: the part that the window does not change.
func (s *settings) pathTarget(facts cc.Facts) float64 {
	if s.byBaseRTT {
		return s.baseTarget + float64(facts.BaseRTT)
	}
	return s.baseTarget + float64(float64(facts.Hops)*s.hopTarget)
}

// flowTarget is the part that flow scaling adds, in ps:
//
//	max(0, min(alpha/sqrt(fcwnd) + beta, fs_range))
func (s *settings) flowTarget(fcwnd float64) float64 {
	return max(0, min(s.alpha/elementary.Sqrt(fcwnd)+s.offset, s.fsRange))
}
