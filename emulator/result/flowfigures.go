package result

import (
	"math"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// FlowFigures are the numbers of flows and their durations.
type FlowFigures struct {
	Flows, Completed, Incomplete uint64
	// Endless counts the flows without a size, which send until they are stopped.
	Endless       uint64
	DurationUS    float64
	FCT, Slowdown Distribution
	GoodputGbps   float64
	FlowRateGbps  float64
}

var flowMetrics = slices.Concat(
	[]Metric{
		counter("flows", "Flows of the plan.", None, func(s *Summary) uint64 { return s.Flows }),
		counter("completed", "Flows whose last byte was acknowledged.", Higher,
			func(s *Summary) uint64 { return s.Completed }),
		counter("incomplete", "Flows with a size that did not complete.", Lower,
			func(s *Summary) uint64 { return s.Incomplete }),
		measure("duration_us", "Time from the first flow's start to the last completion, or to the end of the run "+
			"if a flow had not completed.", Lower, 3,
			func(s *Summary) float64 { return s.DurationUS }),
	},
	spread("fct", "_us", "flow completion time, from the flow's start to the acknowledgement of its last byte. "+
		"For a flow whose messages wait for others each message counts, from the time at which it could be sent.", 3,
		func(s *Summary) *Distribution { return &s.FCT }),
	spread("slowdown", "", "slowdown: FCT over base RTT + wire bytes / rate of the narrowest link; just below 1 "+
		"without other traffic, because the formula counts a packet twice.", 4,
		func(s *Summary) *Distribution { return &s.Slowdown }),
)

var goodputMetric = measure("goodput_gbps", "Payload acknowledged, all flows, over duration_us.", Higher, 3,
	func(s *Summary) float64 { return s.GoodputGbps })

// flowRateMetric is listed beside goodput, which a late flow spoils for all: it is
// the figure that papers print as mean rate or mean throughput of flows.
var flowRateMetric = measure("flow_rate_gbps", "Sum of the sizes of completed flows over the sum of their "+
	"completion times, or of those of their messages if these wait for others: it is high if small flows finish "+
	"first.", Higher, 3,
	func(s *Summary) float64 { return s.FlowRateGbps })

func flowFigures(outcome *Outcome) FlowFigures {
	f := FlowFigures{
		Flows:        uint64(len(outcome.Flows)),
		FlowRateGbps: flowRate(outcome),
		DurationUS:   math.NaN(),
		GoodputGbps:  math.NaN(),
	}
	var fct, slow []float64
	var acked unit.Bytes
	for i := range outcome.Flows {
		flow, planned := &outcome.Flows[i], &outcome.Plan.Flows[i]
		acked += flow.Sender.Acked
		if planned.Size == 0 {
			f.Endless++
		}
		if planned.Messages != nil {
			flow.messageTimes(func(t unit.Duration) {
				fct, slow = append(fct, t.Microseconds()), append(slow, float64(t)/float64(flow.Ideal))
			})
		}
		if flow.Sender.Completed == unit.Never {
			if planned.Size > 0 {
				f.Incomplete++
			}
			continue
		}
		f.Completed++
		if planned.Size == 0 || planned.Messages != nil {
			continue // ran until its stop, or its messages count: it has no completion time
		}
		t := flow.Sender.Completed.Sub(flow.Sender.Started)
		fct = append(fct, t.Microseconds())
		if flow.Ideal > 0 {
			slow = append(slow, float64(t)/float64(flow.Ideal))
		}
	}
	f.FCT, f.Slowdown = distribution(fct), distribution(slow)
	from, to := outcome.activeSpan()
	if d := to.Sub(from); d > 0 {
		f.DurationUS = d.Microseconds()
		f.GoodputGbps = unit.RateOf(acked, d).Gbps()
	}
	return f
}

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
		f := outcome.Flows[i].Sender
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

// messageTimes calls with the completion time of each message that waited for
// others and completed, from when it might be sent.
func (f *Flow) messageTimes(each func(unit.Duration)) {
	for _, m := range f.Sender.Messages {
		if m.Completed != unit.Never {
			each(m.Completed.Sub(m.Ready))
		}
	}
}
