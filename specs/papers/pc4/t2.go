package pc4

import (
	_ "embed"
	"slices"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed t2.yaml
var t2Scenario []byte

var t2 = &reproduce.Row{
	ID:     "T2",
	Title:  "5000 flows into one port",
	Source: "Section IV-D, Table II",
	Paper:  Paper,
	Doubts: []string{"D1", "D12"},
	Reading: "The size is not given: 1 MB. A slowdown is compared with that of equal shares for its size, and a " +
		"wait with the time that the first windows take: one BDP at line rate, 12 packets or one. The buffer has " +
		"room for them, unlike that of any real switch; with 32 MB, variant pfc, they wait in the NICs. The timer " +
		"is 100 ms for all algorithms.",
	Scenario: t2Scenario,
	Columns:  Columns,
	Seeds:    seeds[:1],
	Quick: reproduce.Form{
		Set:      map[string]string{"topology.hosts": "11", "traffic.incast.size": "250KB"},
		Variants: []string{"line", "12pkt", "1pkt", "base", "swift", "hpcc"},
		About: "1000 flows of 250 KB in place of 5000 of 1 MB; bounds that are for 5000 flows by the number of " +
			"flows",
	},
	Measure: measureT2,
	Published: []reproduce.Published{
		{
			Column:    "evidence",
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
		{Column: "evidence", Figure: slowdownT2 + ", line", Value: 5010, Source: "Table II"},
		{Column: "swift", Figure: slowdownT2 + ", line", Value: 7017, Source: "Table II"},
		{Column: "hpcc", Figure: slowdownT2 + ", line", Value: 5037, Source: "Table II"},
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

func measureT2(r *reproduce.Results) (list []reproduce.Figure) {
	add := func(column, variant, name string) {
		runs := r.Of(column, variant)
		heading := column
		if variant == "swift" || variant == "hpcc" {
			heading = variant
		}
		milli := func(metric string) func(*reproduce.Run) float64 {
			return func(run *reproduce.Run) float64 { return run.Metric(metric) / 1000 }
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
			add("evidence", "swift", variant)
			add("evidence", "hpcc", variant)
		}
	}
	for _, column := range r.Columns() {
		runs := r.Of(column, "line")
		list = append(list,
			runs.Metric(column, flowsT2, "", "flows"),
			runs.Figure(column, boundT2, "", func(run *reproduce.Run) float64 {
				flows := run.Flows()
				alone := flows[0].Size / payload * wirePacket * 8 / 100e3 // us
				return (float64(len(flows))*alone + baseRTT) / (alone + baseRTT)
			}))
	}
	return list
}

// middleWait is the mean wait in the longest queue over the middle half of the run, in ms, from
// its largest length in each bin.
func middleWait(run *reproduce.Run) float64 {
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
	return reproduce.Mean(queue.Between(end/4, 3*end/4)) * perByte * 8 / 100e6
}
