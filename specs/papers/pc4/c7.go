package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c7.yaml
var c7Scenario []byte

var c7 = &reproduce.Row{
	ID:     "C7",
	Title:  "An all-to-all exchange in clusters of 4 to 128 hosts",
	Source: "Section IV-D",
	Paper:  Paper,
	Reading: "No experiment is printed. Each host receives 6 MB for any size of the cluster, so that flows are " +
		"from 2 MB to 47 KB. The throughput is the data that a host receives over the time to the last flow's end.",
	Scenario: c7Scenario,
	Columns:  Columns[1:],
	Seeds:    seeds,
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, column := range r.Columns() {
			for _, hosts := range r.Values("topology.hosts") {
				list = append(list, r.Of(column, "", "topology.hosts="+hosts).Figure(column, "throughput, hosts="+hosts, "Gb/s",
					func(run *reproduce.Run) (rate float64) {
						for _, flow := range run.Flows() {
							if flow.To == "h0" {
								rate += flow.Size * 8 / 1000
							}
						}
						return rate / run.Metric("duration_us")
					}))
			}
		}
		return list
	},
}
