package result

import (
	"math"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// OutageFigures are the effects of outages of links. They are NaN if none began.
type OutageFigures struct {
	// RecoveryMaxUS is NaN, too, if a flow did not go on, SettledUS if routes avoided no link.
	RecoveryMaxUS, SettledUS float64
	// LostBytes is the sum of the three behind it.
	LostBytes, LostVoid, LostFlushed, LostNoRoute float64
	// StoodStill counts flows, each once, Unrecovered those among them that did not go on after an outage.
	StoodStill, Unrecovered float64
}

var outageMetrics = []Metric{
	measure(plan.RecoveryMetric, "Longest time from the beginning of an outage until a flow that it stopped "+
		"resumed; 0 if no flow was stopped, not measured if one did not resume, or no link went down.", Lower, 6,
		func(s *Summary) float64 { return s.RecoveryMaxUS }),
	measure("outage_settled_us", "Longest time from the beginning of an outage until no route led into the "+
		"link, or to a switch without another path; not measured if routes avoided none of the links that went "+
		"down.", Lower, 6,
		func(s *Summary) float64 { return s.SettledUS }),
	measure("outage_lost_bytes", "Bytes of frames that outages lost: the sum of the next three.", Lower, 0,
		func(s *Summary) float64 { return s.LostBytes }),
	measure("outage_lost_void_bytes", "Bytes of frames that were lost on links while these were down.", Lower, 0,
		func(s *Summary) float64 { return s.LostVoid }),
	measure("outage_lost_flushed_bytes", "Bytes of frames that were dropped at ports that had detected that their "+
		"link was down.",
		Lower, 0, func(s *Summary) float64 { return s.LostFlushed }),
	measure("outage_lost_no_route_bytes", "Bytes of frames that switches dropped for lack of a route.", Lower, 0,
		func(s *Summary) float64 { return s.LostNoRoute }),
	measure("outage_flows", "Flows that an outage stopped.", Lower, 0,
		func(s *Summary) float64 { return s.StoodStill }),
	measure("outage_unrecovered_flows", "Flows among them that did not resume after one.", Lower, 0,
		func(s *Summary) float64 { return s.Unrecovered }),
}

func outageFigures(outcome *Outcome) (f OutageFigures) {
	if len(outcome.Outages) == 0 {
		none := math.NaN()
		return OutageFigures{none, none, none, none, none, none, none, none}
	}
	var settled []float64
	still, unrecovered := map[int]bool{}, map[int]bool{}
	for i := range outcome.Outages {
		outage := &outcome.Outages[i]
		f.LostVoid += float64(outage.Void.Bytes)
		f.LostFlushed += float64(outage.Flushed.Bytes)
		f.LostNoRoute += float64(outage.NoRoute.Bytes)
		if outage.Settled != unit.Never {
			settled = append(settled, outage.Settled.Sub(outage.From).Microseconds())
		}
		for k := range outage.Still {
			s := &outage.Still[k]
			still[s.Flow] = true
			if !s.Over {
				unrecovered[s.Flow] = true
			}
			f.RecoveryMaxUS = math.Max(f.RecoveryMaxUS, s.Recovery.Microseconds())
		}
	}
	f.SettledUS = distribution(settled).Max
	if len(unrecovered) > 0 {
		f.RecoveryMaxUS = math.NaN()
	}
	f.LostBytes = f.LostVoid + f.LostFlushed + f.LostNoRoute
	f.StoodStill, f.Unrecovered = float64(len(still)), float64(len(unrecovered))
	return f
}

// whyUnmeasured returns the reason why a metric was not measured.
func (s *Summary) whyUnmeasured(metric string) string {
	switch {
	case metric == plan.RecoveryMetric && s.Unrecovered > 0:
		return unit.CountOf(unit.Whole[int](s.Unrecovered), "flow had", "flows had") + " not gone on when the run ended"
	case metric == plan.RecoveryMetric:
		return "no link went down"
	}
	return metric + " was not measured"
}
