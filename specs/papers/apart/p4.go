package apart

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p4.yaml
var p4Scenario []byte

var p4 = &reproduce.Row{
	ID:    "P4",
	Title: "A controller that counts wrong, 16 flows into one port",
	Paper: Paper,
	Reading: "The controller announces 1, 4 or 64 flows in place of 16. Other algorithms do not use it: the queue " +
		"shows them the true state of the port.",
	Scenario: p4Scenario,
	Columns:  columns("algorithm"),
	Seeds:    seeds,
	Quick:    quick,
	Refusals: true,
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, n := range r.Values("traffic.incast.group_flows") {
			list = append(list, measure(r, "", "n="+n, []cell{
				{"utilisation", "", metric("utilisation")},
				{"Jain's index", "", evenness},
				{"mean wait", "us", metric("queueing_mean_us")},
				{"p99 wait", "us", metric("queueing_p99_us")},
			}, "traffic.incast.group_flows="+n)...)
		}
		return list
	},
}
