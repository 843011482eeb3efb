package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f13b.yaml
var f13bScenario []byte

var f13b = &reproduce.Row{
	ID:     "F13b",
	Title:  "An uplink of the testbed is down for 1 ms",
	Source: "Section III-D",
	Paper:  Paper,
	Reading: "No experiment is printed. Every NIC has four flows to one other, drawn at random; an uplink of the " +
		"first leaf is down for 1 ms and comes back, nothing is routed around it. The timer is 200 us.",
	Scenario: f13bScenario,
	Columns:  Columns,
	Red:      "a flow that does not finish fails its run, and the row judges that",
	Quick: reproduce.Form{
		Set: map[string]string{
			"topology.double_leaves":   "2",
			"topology.single_leaves":   "2",
			"traffic.permutation.size": "2MB",
		},
		About: "6 servers in place of 32, 2 MB a flow in place of 10",
	},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, column := range r.Columns() {
			runs := r.Of(column, "pc4")
			atLink := func(run *reproduce.Run) float64 { return lostAt(run, "leaf0:16", "spine0:0") }
			list = append(list,
				runs.Metric(column, unfinishedF13("outage"), "", "incomplete"),
				runs.Metric(column, timeoutsF13, "", "timeouts"),
				runs.Metric(column, "largest FCT", "us", "fct_max_us"),
				runs.Figure(column, lostF13, "", atLink),
				runs.Figure(column, elsewhereF13, "", func(run *reproduce.Run) float64 {
					return run.Metric("drops") - atLink(run) - droppedDown(run)
				}))
		}
		return list
	},
}
