package apart

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p3.yaml
var p3Scenario []byte

var p3 = &reproduce.Row{
	ID:    "P3",
	Title: "A port that is shared with flows of another algorithm",
	Paper: Paper,
	Reading: "One flow beside one, and eight beside eight, of DCQCN or Swift. A share is the port's rate over all " +
		"flows. The controller counts all of them.",
	Scenario: p3Scenario,
	Columns:  columns("traffic.own.algorithm"),
	Seeds:    seeds,
	Quick:    quick,
	Refusals: true,
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, variant := range r.Variants() {
			for _, other := range r.Values("traffic.other.algorithm") {
				point := variant + ", beside " + others[other]
				list = append(list, measure(r, variant, point, []cell{
					{"own flow over its share", "", func(run *reproduce.Run) float64 {
						flows := run.Flows()
						return meanOf("own")(run) / (fullPort / float64(len(flows)))
					}},
					{"own flow", "Gb/s", meanOf("own")},
					{"other flow", "Gb/s", meanOf("other")},
					{"p99 wait", "us", metric("queueing_p99_us")},
				}, "traffic.other.algorithm="+other)...)
			}
		}
		return list
	},
}

// others are the algorithms of the other flows as the scenario writes them.
var others = map[string]string{
	"{name: dcqcn, params: {set: nvidia}}": "dcqcn nvidia",
	"{name: dcqcn, params: {set: paper}}":  "dcqcn paper",
	"{name: tuned}":                        "dcqcn tuned",
	"{name: swift}":                        "swift",
}
