package result

import (
	"math"

	"github.com/rocelab/rocelab/emulator/unit"
)

// flowRateMetric is listed beside goodput, which a late flow spoils for all: it is
// the figure that papers print as mean rate or mean throughput of flows.
var flowRateMetric = measure("flow_rate_gbps", "Sizes of the flows that completed, summed, over their completion "+
	"times, or those of their messages where these wait for others, summed: it rewards whoever lets small flows "+
	"finish first.", Higher, 3,
	func(s *Summary) float64 { return s.FlowRateGbps })

// flowRate is
//
//	RATE_mean = sum FLOW_SIZE_i / sum FCT_i
//
// over the flows that have a size and completed, NaN if none did. Source: the
// LSTM+PIDNN thesis, section 4.3.1, equation 30.
func flowRate(outcome *Outcome) float64 {
	var sizes unit.Bytes
	var times unit.Duration
	for i := range outcome.Flows {
		f := &outcome.Flows[i].Sender
		if size := outcome.Plan.Flows[i].Size; size > 0 && f.Completed != unit.Never {
			sizes += size
			if outcome.Plan.Flows[i].Messages != nil {
				outcome.Flows[i].messageTimes(func(t unit.Duration) { times += t })
				continue
			}
			times += f.Completed.Sub(f.Started)
		}
	}
	if times <= 0 {
		return math.NaN()
	}
	return unit.RateOf(sizes, times).Gbps()
}
