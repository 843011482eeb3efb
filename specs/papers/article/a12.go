package article

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a12.yaml
var a12Scenario []byte

var a12 = &reproduce.Row{
	ID:     "A12",
	Title:  "An incast with ECN, against only PFC, by completion times",
	Source: "Managing incast congestion",
	Paper:  Paper,
	Reading: "The article names no set-up. Fifteen flows of 5 MB come to one receiver over a link that is not congested " +
		"itself, and one of 5 MB goes over it to another. DCQCN has NVIDIA's parameters, and its paper's beside them.",
	Scenario: a12Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, variant := range r.Variants() {
			for _, group := range []string{"incast", "victim"} {
				list = append(list, r.Of("", variant).Figure(variant, "largest FCT, "+group, "us",
					func(run *reproduce.Run) (largest float64) {
						for _, flow := range run.Flows() {
							if flow.Group == group {
								largest = max(largest, flow.FCT)
							}
						}
						return largest
					}))
			}
			list = append(list, r.Of("", variant).Metric(variant, "lost", "frames", "drops"))
		}
		return list
	},
}
