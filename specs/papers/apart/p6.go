package apart

import (
	_ "embed"
	"fmt"
	"strconv"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p6.yaml
var p6Scenario []byte

var p6 = &reproduce.Row{
	ID:    "P6",
	Title: "Clocks that are off by up to 100 ns, n flows into one port",
	Paper: Paper,
	Reading: "Each clock has an offset drawn within 100 ns and drifts by up to 1 ppm, set right each 10 ms. N1 has the " +
		"same with flows of 25 MB and no other algorithm.",
	Scenario: p6Scenario,
	Columns:  columns("algorithm"),
	Seeds:    seeds,
	Quick:    quick,
	Refusals: true,
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, hosts := range r.Values("topology.hosts") {
			n, err := strconv.Atoi(hosts)
			if err != nil {
				panic(err) // the scenario has whole numbers
			}
			list = append(list, measure(r, "", fmt.Sprint("n=", n-1), []cell{
				{"Jain's index", "", evenness},
				{"utilisation", "", metric("utilisation")},
				{"mean wait", "us", metric("queueing_mean_us")},
			}, "topology.hosts="+hosts)...)
		}
		return list
	},
}
