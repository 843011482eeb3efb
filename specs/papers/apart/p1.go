package apart

import (
	_ "embed"
	"fmt"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p1.yaml
var p1Scenario []byte

var p1 = &reproduce.Row{
	ID:    "P1",
	Title: "A flow over two, three and five full links",
	Paper: Paper,
	Reading: "Each link has another flow, too, and each flow has its own receiver, so that its base rate is the " +
		"line rate. Beside the algorithms are two references for the long flow: a share that is proportionally " +
		"fair, a port's rate over the links and one, and a max-min fair one, half of the port. HPCC's telemetry " +
		"has room for five switches.",
	Scenario: p1Scenario,
	Columns:  columns("algorithm"),
	Seeds:    seeds,
	Quick:    quick,
	Refusals: true,
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, links := range []int{2, 3, 5} {
			variant := fmt.Sprint("links-", links)
			proportional := fullPort / float64(links+1)
			list = append(list, measure(r, variant, variant, []cell{
				{longFlow + " over its proportional share", "", func(run *reproduce.Run) float64 {
					return meanOf("long")(run) / proportional
				}},
				{longFlow, "Gb/s", meanOf("long")},
				{"other flows", "Gb/s", func(run *reproduce.Run) float64 {
					sum := 0.0
					for _, flow := range shares(run) {
						sum += flow.rate
					}
					return (sum - meanOf("long")(run)) / float64(links)
				}},
				{"p99 wait", "us", metric("queueing_p99_us")},
			})...)
			list = append(list,
				reproduce.Figure{
					Column: "proportional",
					Name:   longFlow + ", " + variant,
					Unit:   "Gb/s",
					Values: []float64{proportional},
				},
				reproduce.Figure{
					Column: "max-min",
					Name:   longFlow + ", " + variant,
					Unit:   "Gb/s",
					Values: []float64{fullPort / 2},
				})
		}
		return list
	},
}

const longFlow = "long flow"
