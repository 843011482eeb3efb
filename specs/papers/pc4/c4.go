package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c4.yaml
var c4Scenario []byte

var c4 = &reproduce.Row{
	ID:     "C4",
	Title:  "Bursts of several kinds over eight NICs a server",
	Source: "Section IV-B",
	Paper:  Paper,
	Reading: "No set-up is printed but F7's, whose NICs are alike. Here four servers of eight NICs send three " +
		"all-to-all exchanges of 200 KB a flow at a time, begun at once, within 200 us and within 2 ms.",
	Scenario: c4Scenario,
	Columns:  Columns[1:],
	Seeds:    seeds,
	Quick: reproduce.Form{
		Set: map[string]string{
			"topology.hosts":           "16",
			"topology.nics_per_server": "8",
		},
		Seeds: seeds[:1],
		About: "two servers in place of four, one seed",
	},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		add := func(runs reproduce.Runs, column, suffix string) {
			list = append(list,
				runs.Metric(column, "mean FCT"+suffix, "us", "fct_mean_us"),
				runs.Metric(column, "p99 FCT"+suffix, "us", "fct_p99_us"),
				runs.Metric(column, "largest FCT"+suffix, "us", "fct_max_us"))
		}
		for _, column := range r.Columns() {
			add(r.Of(column, "pc4"), column, "")
			add(r.Of(column, "base-rate-alone"), column, ", base-rate-alone")
		}
		add(r.Of("evidence", "dcqcn"), "dcqcn", "")
		return list
	},
}
