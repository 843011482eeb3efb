package draft

import (
	_ "embed"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r5.yaml
var r5Scenario []byte

var r5 = &reproduce.Row{
	ID:     "R5",
	Title:  "Ageing: traffic that has moved is forgotten",
	Source: "Congestion control process",
	Paper:  Paper,
	Reading: scaled + "Four jobs end after four periods; four others begin at 100 ms. An entry is forgotten three " +
		"periods after its last packet. A period is 15 ms.",
	Scenario: r5Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduce.Form{Seeds: []uint64{1, 2}, About: "two seeds"},
	Measure:  measureR5,
}

func measureR5(r *reproduce.Results) []reproduce.Figure {
	const moved = 100_000.0
	runs := r.Of("", "")
	count := func(name string, counts func(action string, at float64) bool) reproduce.Figure {
		return runs.Figure("", name, "", func(run *reproduce.Run) (n float64) {
			ofOldFlows(run, func(action string, at float64) {
				if counts(action, at) {
					n++
				}
			})
			return n
		})
	}
	return []reproduce.Figure{
		count("flows learned", func(action string, _ float64) bool { return action == "learn" }),
		count("flows forgotten", func(action string, _ float64) bool { return action == "age" }),
		count("acts for flows that had ended", func(action string, at float64) bool {
			return action != "learn" && action != "age" && at > moved
		}),
		runs.Figure("", "last one forgotten after", "ms", func(run *reproduce.Run) (last float64) {
			ofOldFlows(run, func(action string, at float64) {
				if action == "age" {
					last = max(last, (at-moved)/1000)
				}
			})
			return last
		}),
	}
}

// ofOldFlows calls visit for what switches did for flows of the first jobs, those of hosts with
// even numbers.
func ofOldFlows(run *reproduce.Run, visit func(action string, at float64)) {
	for line := range run.Lines("proximal.csv") {
		if from := line.Text("from"); from != "" && strings.ContainsAny(from[len(from)-1:], "02468") {
			visit(line.Text("action"), line.Microseconds("at_us"))
		}
	}
}
