package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f11.yaml
var f11Scenario []byte

var f11 = &reproduce.Row{
	ID:     "F11",
	Title:  "Near and far flows into one port",
	Source: "Sections III-C and IV-F",
	Paper:  Paper,
	Reading: "Fairness between short and long paths is claimed and not shown. The near flow crosses one switch, " +
		"2.2 us one way, the far one three, 4.4 us; both have a NIC of their own, and the port of the receiver is " +
		"the one bottleneck. The default target is common to all paths; a target that grows with the path, " +
		"tq_path 1, is beside it.",
	Scenario: f11Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick: reproduce.Form{
		Set:   map[string]string{"run.until": "5ms"},
		Seeds: seeds[:2],
		About: "5 ms in place of 10, two seeds",
	},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, variant := range []string{"two", "eight", "two-path", "two-alone", "two-path-alone"} {
			for _, column := range columnsWith(r, variant) {
				runs := r.Of(column, variant)
				list = append(list,
					runs.Metric(column, "Jain's index, "+variant, "", "jain"),
					runs.Figure(column, "near flows, "+variant, "Gb/s", goodputOf("near")),
					runs.Figure(column, "far flows, "+variant, "Gb/s", goodputOf("far")))
			}
		}
		return list
	},
}

// goodputOf is the goodput of a group's flows together.
func goodputOf(group string) func(*reproduce.Run) float64 {
	return func(run *reproduce.Run) (sum float64) {
		for _, flow := range run.Flows() {
			if flow.Group == group {
				sum += flow.Goodput
			}
		}
		return sum
	}
}
