package apart

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p2.yaml
var p2Scenario []byte

var p2 = &reproduce.Row{
	ID:    "P2",
	Title: "Flows over one, two and four switches into one port",
	Paper: Paper,
	Reading: "One flow over each path, and each has a NIC of its own, so that the receiver's port is the one " +
		"bottleneck. HPCC's telemetry cannot tell a port of 40 Gb/s.",
	Scenario: p2Scenario,
	Columns:  columns("algorithm"),
	Seeds:    seeds,
	Quick:    quick,
	Refusals: true,
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, rate := range r.Values("topology.rate") {
			list = append(list, measure(r, "", rate, []cell{
				{"Jain's index", "", evenness},
				{"near flow", "Gb/s", meanOf("near")},
				{"middle flow", "Gb/s", meanOf("mid")},
				{"far flow", "Gb/s", meanOf("far")},
				{"utilisation", "", metric("utilisation")},
				{"p99 wait", "us", metric("queueing_p99_us")},
			}, "topology.rate="+rate)...)
		}
		return list
	},
}
