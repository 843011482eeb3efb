package pc4

import (
	_ "embed"
	"slices"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c6.yaml
var c6Scenario []byte

var c6 = &reproduce.Row{
	ID:     "C6",
	Title:  "Recovery of lost packets, beside flows that are held at their fair share",
	Source: "Section III-D",
	Paper:  Paper,
	Reading: "No experiment is printed. Eight flows of 5 MB, whose receiver's link loses 0, 0.01 and 0.1 % of " +
		"data. What go-back-N costs it costs flows of a fixed 12.5 Gb/s, too: what PC4 takes beyond them " +
		"is its own.",
	Scenario: c6Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Red:      "a flow that does not finish fails its run, and then has no FCT",
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		losses := []struct{ key, name string }{{"0", "no loss"}, {"0.0001", "0.01 %"}, {"0.001", "0.1 %"}}
		for _, column := range r.Columns() {
			for _, loss := range losses {
				ours := r.Of(column, "pc4", "faults.loss="+loss.key)
				fair := r.Of(column, "fair", "faults.loss="+loss.key).Metric("", "", "", "fct_max_us")
				largest := ours.Metric(column, "largest FCT, "+loss.name, "us", "fct_max_us")
				ratio := reproduce.Figure{
					Column: column,
					Name:   "largest FCT over that of fixed rates, " + loss.name,
					Values: slices.Clone(largest.Values),
				}
				for i := range ratio.Values {
					ratio.Values[i] /= fair.Values[i]
				}
				list = append(list, largest, ratio, ours.Metric(column, "timeouts, "+loss.name, "", "timeouts"))
			}
		}
		return list
	},
}
