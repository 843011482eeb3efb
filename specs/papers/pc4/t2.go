package pc4

import (
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed t2.yaml
var t2Scenario []byte

var t2 = &reproduction.Row{
	ID:     "T2",
	Title:  "5000 flows into one port",
	Source: "Section IV-D, Table II",
	Paper:  Paper,
	Doubts: []string{"D1", "D12"},
	Reading: "The size is not given: 1 MB. A slowdown is held against that of equal shares for its size, and a " +
		"wait against what the first windows take: one BDP at line rate, 12 packets or one. The buffer has room " +
		"for them, as no switch has; with 32 MB, variant pfc, they wait in the NICs. The timer is 100 ms for all " +
		"algorithms.",
	Scenario: t2Scenario,
	Columns:  Columns,
	Seeds:    seeds[:1],
	Quick: reproduction.Form{
		Set:      map[string]string{"topology.hosts": "11", "traffic.incast.size": "250KB"},
		Variants: []string{"line", "12pkt", "1pkt", "base", "swift", "hpcc"},
		About: "1000 flows of 250 KB in place of 5000 of 1 MB; bounds that are for 5000 flows by the number of " +
			"flows",
	},
	Measure: measureT2,
	Published: []reproduction.Published{
		{
			Column:    "printed",
			Figure:    p99WaitT2 + ", 12pkt",
			Value:     4.729,
			Tolerance: 0.15,
			Source:    "Table II",
		},
		{
			Column:    "swift",
			Figure:    p99WaitT2 + ", line",
			Value:     23.543,
			Tolerance: 0.15,
			Source:    "Table II",
		},
		{
			Column:    "hpcc",
			Figure:    p99WaitT2 + ", line",
			Value:     23.066,
			Tolerance: 0.15,
			Source:    "Table II",
		},
		{Column: "printed", Figure: slowdownT2 + ", line", Value: 5010, Source: "Table II"},
		{Column: "swift", Figure: slowdownT2 + ", line", Value: 7017, Source: "Table II"},
		{Column: "hpcc", Figure: slowdownT2 + ", line", Value: 5037, Source: "Table II"},
	},
	Criteria: []reproduction.Criterion{
		{
			Name:  "drops",
			Text:  "nothing is dropped",
			Grade: reproduction.Pass,
			Holds: reproduction.Between("drops, line", 0, 0),
		},
		{
			Name:  "rate",
			Text:  "the port is busy for at least 95 % of the run",
			Grade: reproduction.Pass,
			Holds: reproduction.AtLeast(busyT2+", line", 0.95),
		},
		{
			Name:  "burst",
			Text:  "the p99 wait is at most 1.1 of the time that the first windows take, of one BDP and of 12 packets",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				line, twelve := f.Median(p99WaitT2+", line"), f.Median(p99WaitT2+", 12pkt")
				n := f.Median(flowsT2)
				return line <= 1.1*burstT2(n, 52.4) && twelve <= 1.1*burstT2(n, 12), fmt.Sprintf("%.3f and %.3f ms", line, twelve)
			},
		},
		{
			Name:  "slowdown",
			Text:  "the p99 slowdown is at most 1.02 of that of equal shares",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				slowdown, bound := f.Median(slowdownT2+", line"), f.Median(boundT2)
				return slowdown <= 1.02*bound, fmt.Sprintf("%.0f, 1.02 of which is %.0f", slowdown, 1.02*bound)
			},
		},
		{
			Name: "queue",
			Text: "over the middle half of the run the mean wait is at most 0.2 ms, of 5000 flows; a packet of " +
				"each is 0.43 ms",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				wait := f.Median(meanWaitT2 + ", line")
				return wait <= 0.2*f.Median(flowsT2)/5000, fmt.Sprintf("%.4f ms", wait)
			},
		},
		{
			Name: "gentle start",
			Text: "with one packet first, and where senders know their base rate, the p99 wait is at most 0.6 ms, " +
				"of 5000 flows",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				one, base := f.Median(p99WaitT2+", 1pkt"), f.Median(p99WaitT2+", base")
				most := 0.6 * f.Median(flowsT2) / 5000
				return one <= most && base <= most, fmt.Sprintf("%.4f and %.4f ms", one, base)
			},
		},
		{
			Name:     "published PC4",
			Text:     "with 12 packets first the p99 wait is 4.7 ms within 15 %",
			Grade:    reproduction.Target,
			Holds:    reproduction.Near(p99WaitT2+", 12pkt", 4.7, 0.15),
			FullOnly: true,
			Miss: &reproduction.Miss{
				Why: "of 1 MB, 12 packets are 1.2 %, so that the p99 over all packets is at the burst's edge, 0.5 " +
					"ms; the largest wait is 4.73 ms, the published number",
				Command: "rocelab reproduce T2 --full",
			},
		},
		{
			Name:  "published Swift and HPCC",
			Text:  "with one BDP first the p99 waits of Swift and HPCC are 23.5 ms within 15 %",
			Grade: reproduction.Target,
			Holds: func(f reproduction.Figures) (bool, string) {
				swift, hpcc := f.In("swift").Median(p99WaitT2+", line"), f.In("hpcc").Median(p99WaitT2+", line")
				return math.Abs(swift/23.5-1) <= 0.15 && math.Abs(hpcc/23.5-1) <= 0.15, fmt.Sprintf("%.2f and %.2f ms", swift, hpcc)
			},
			FullOnly: true,
			Miss: &reproduction.Miss{
				Why: "the p99 is over all packets of 1 MB and 100 flows share a NIC: 12.8 and 19.4 ms; HPCC's " +
					"largest wait is 23.7 ms. The published columns are cited from another paper",
				Command: "rocelab reproduce T2 --full",
			},
		},
	},
}

// The figures of T2.
const (
	flowsT2    = "flows"
	boundT2    = "slowdown of equal shares"
	busyT2     = "share of the run that the port is busy"
	p99WaitT2  = "p99 wait"
	maxWaitT2  = "largest wait"
	meanWaitT2 = "mean wait, middle half"
	slowdownT2 = "p99 slowdown"
)

// wirePacket is a full-size packet of PC4 on the wire, in bytes.
const wirePacket = 1098

// burstT2 is how long a port takes for first windows of so many packets, in ms.
func burstT2(flows, packets float64) float64 { return flows * packets * wirePacket * 8 / 100e6 }

func measureT2(r *reproduction.Results) (list []reproduction.Figure) {
	add := func(column, variant, name string) {
		runs := r.Of(column, variant)
		heading := column
		if variant == "swift" || variant == "hpcc" {
			heading = variant
		}
		milli := func(metric string) func(*reproduction.Run) float64 {
			return func(run *reproduction.Run) float64 { return run.Metric(metric) / 1000 }
		}
		list = append(list,
			runs.Figure(heading, p99WaitT2+", "+name, "ms", milli("queueing_p99_us")),
			runs.Figure(heading, maxWaitT2+", "+name, "ms", milli("queueing_max_us")),
			runs.Figure(heading, meanWaitT2+", "+name, "ms", middleWait),
			runs.Metric(heading, slowdownT2+", "+name, "", "slowdown_p99"),
			runs.Metric(heading, busyT2+", "+name, "", "utilisation"),
			runs.Metric(heading, "drops, "+name, "", "drops"))
	}
	for _, variant := range []string{"line", "12pkt", "1pkt", "base", "pfc"} {
		for _, column := range columnsWith(r, variant) {
			add(column, variant, variant)
		}
		if variant == "line" {
			add("printed", "swift", variant)
			add("printed", "hpcc", variant)
		}
	}
	for _, column := range r.Columns() {
		runs := r.Of(column, "line")
		list = append(list,
			runs.Metric(column, flowsT2, "", "flows"),
			runs.Figure(column, boundT2, "", func(run *reproduction.Run) float64 {
				flows := run.Flows()
				alone := flows[0].Size / payload * wirePacket * 8 / 100e3 // us
				return (float64(len(flows))*alone + baseRTT) / (alone + baseRTT)
			}))
	}
	return list
}

// middleWait is the mean wait in the longest queue over the middle half of the run, in ms, from
// its largest length in each bin.
func middleWait(run *reproduction.Run) float64 {
	receiver := run.Flows()[0].To
	port := ""
	for line := range run.Lines("ports.csv") {
		if line.Text("node") == "s0" && line.Text("peer") == receiver {
			port = "port=" + line.Text("port")
		}
	}
	queue := run.Series("series_queues.csv", "depth_max_bytes", "node=s0", port, "queue=3")
	end := slices.Max([]float64{run.Metric("duration_us"), 4 * queue.Width})
	const perByte = wirePacket / (wirePacket - 24.0) // preamble, gap and FCS are not in the queue
	return reproduction.Mean(queue.Between(end/4, 3*end/4)) * perByte * 8 / 100e6
}
