package pc4

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c2.yaml
var c2Scenario []byte

var c2 = &reproduce.Row{
	ID:     "C2",
	Title:  "A low target for some flows and a high one for others, at one port",
	Source: "Section III-C",
	Paper:  Paper,
	Reading: "No experiment is printed. Eight flows have a target of 0.5 us, eight one of 10 us. The paper does " +
		"not mention queues, so they share one, or have one each. For comparison all have 10 us.",
	Scenario: c2Scenario,
	Columns:  targetColumns("urgent", "bulk"),
	Seeds:    seeds,
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure:  measureC2,
}

// targetColumns are Columns for a scenario that names several algorithms.
func targetColumns(names ...string) (list []reproduce.Column) {
	for _, column := range Columns {
		set := map[string]string{}
		for _, name := range names {
			set["algorithms."+name+".params.set"] = column.Set["algorithms.subject.params.set"]
		}
		column.Set = set
		list = append(list, column)
	}
	return list
}

func measureC2(r *reproduce.Results) (list []reproduce.Figure) {
	names := map[string]string{"one-queue": "one queue", "two-queues": "two queues", "all-high": "all high"}
	for _, column := range r.Columns() {
		for _, variant := range r.Variants() {
			runs := r.Of(column, variant)
			for _, group := range []string{"urgent", "bulk"} {
				list = append(list,
					runs.Figure(column, "mean wait, "+group+", "+names[variant], "us", meanWaitOf(group)),
					runs.Figure(column, "rate, "+group+", "+names[variant], "Gb/s", func(run *reproduce.Run) (sum float64) {
						for line := range run.Lines("flows.csv") {
							if line.Text("group") == group {
								sum += line.Number("goodput_gbps")
							}
						}
						return sum
					}))
			}
		}
	}
	return list
}

// meanWaitOf is the mean of a group's flows of what their packets wait one way.
func meanWaitOf(group string) func(*reproduce.Run) float64 {
	return func(run *reproduce.Run) float64 {
		var waits []float64
		for line := range run.Lines("flows.csv") {
			if line.Text("group") == group {
				waits = append(waits, line.Number("owd_mean_us"))
			}
		}
		return reproduce.Mean(waits)
	}
}
