package oracle

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// victims counts the flows that a PFC storm harmed though they do not end at a NIC that stormed. They stood still for
// at least a tenth of the storm, and ten base RTTs, in a time that meets it; or they sent again although only a
// watchdog lost frames.
func (s *seen) victims(flows []*flow) (n uint64) {
	storming := map[int]bool{}
	var storms []span
	for i := range s.plan.NICs {
		for _, storm := range s.plan.NICs[i].Profile.Storms {
			if storm.From < s.end {
				storming[i] = true
				storms = append(storms, span{storm.From, storm.To})
			}
		}
	}
	watchdog, links := false, false
	for i := range s.drops {
		watchdog = watchdog || s.drops[i].reason == fabric.DropWatchdog
	}
	for i := range s.plan.Links {
		links = links || s.plan.Links[i].Loss > 0 || len(s.plan.Links[i].Outages) > 0
	}
	for i := range s.plan.WANs {
		links = links || !s.plan.WANs[i].Profile.Lossless()
	}
	for _, f := range flows {
		if storming[f.Dst] || len(storms) == 0 {
			continue
		}
		if s.stood(f, storms, f.baseRTT(int64(s.plan.MTU))) || watchdog && !links && f.resent > 0 {
			n++
		}
	}
	return n
}

// stood reports whether one of the storms explains a flow's standstill: before the first packet, in the longest time
// between two, or after the last.
func (s *seen) stood(f *flow, storms []span, baseRTT unit.Duration) bool {
	end := f.until(s.end)
	if f.Stop > 0 {
		end = min(end, f.Stop)
	}
	still := []span{{f.started, end}}
	if n := len(f.takes); n > 0 {
		still[0].to = min(f.takes[0].at, end)
		longest := span{}
		for i := 1; i < n; i++ {
			if between := (span{f.takes[i-1].at, f.takes[i].at}); between.to-between.from > longest.to-longest.from {
				longest = between
			}
		}
		still = append(still, longest)
		if f.completed == unit.Never {
			still = append(still, span{f.takes[n-1].at, end})
		}
	}
	for _, storm := range storms {
		lasted := min(storm.to, s.end).Sub(storm.from)
		for _, t := range still {
			if t.to.Sub(t.from) >= max(lasted/10, 10*baseRTT) && t.from < storm.to && storm.from < t.to {
				return true
			}
		}
	}
	return false
}
