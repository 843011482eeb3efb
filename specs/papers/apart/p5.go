package apart

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p5.yaml
var p5Scenario []byte

var p5 = &reproduce.Row{
	ID:    "P5",
	Title: "3000 flows into one port of 40 Gb/s, and timeouts without a loss",
	Paper: Paper,
	Reading: "Thirty senders with a hundred flows each. A first window is one BDP, 22 KB: together they are 66 " +
		"MB. The switch holds 28 MB of them, 5.6 ms of the port, and PFC makes the rest wait in the NICs. The " +
		"timer is the larger of 4 ms and four times the newest RTT, which is below 0.7 ms for the first packets. " +
		"Variant timer-8ms has a timer of at least 8 ms.",
	Scenario: p5Scenario,
	Columns:  columns("algorithm"),
	Seeds:    seeds,
	Quick:    quick,
	Refusals: true,
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, variant := range r.Variants() {
			list = append(list, measure(r, variant, variant, []cell{
				{"timeouts", "", metric("timeouts")},
				{"packets sent again that had arrived", "", metric("discards_duplicate")},
				{"drops", "", metric("drops")},
				{"pauses", "", metric("pauses")},
				{"utilisation", "", metric("utilisation")},
				{"largest wait", "ms", func(run *reproduce.Run) float64 { return run.Metric("queueing_max_us") / 1000 }},
				{"p99 slowdown", "", metric("slowdown_p99")},
			})...)
		}
		return list
	},
}
