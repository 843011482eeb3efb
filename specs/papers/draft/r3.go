package draft

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r3.yaml
var r3Scenario []byte

var r3 = &reproduce.Row{
	ID:     "R3",
	Title:  "Loss, by the memory of ports to the fibre",
	Source: "Conclusion",
	Paper:  Paper,
	Reading: scaled + "Eight jobs of two ranks exchange 16 MB each way, three times, over a DCI that is oversubscribed " +
		"4:1. Kmin and Kmax are 0.3 and 0.6 of the memory.",
	Scenario: r3Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduce.Form{Seeds: []uint64{1}, About: "one seed"},
	Measure:  measureR3,
}

var memoriesOfR3 = []struct{ name, buffer string }{
	{"2.5 RTT x rate", "18.75MB"}, {"1 RTT x rate", "7.5MB"}, {"0.25 RTT x rate", "1875KB"},
}

func measureR3(r *reproduce.Results) (list []reproduce.Figure) {
	for _, memory := range memoriesOfR3 {
		for _, variant := range r.Variants() {
			runs := r.Of("", variant, "switch.dci.buffer="+memory.buffer)
			list = append(list,
				runs.Metric(memory.name, "lost, "+variant, "frames", "drops"),
				runs.Figure(memory.name, "iteration, "+variant, "ms", func(run *reproduce.Run) float64 {
					return run.Metric("iteration_mean_us") / 1000
				}))
		}
	}
	return list
}
