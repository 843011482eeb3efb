package apart

import (
	_ "embed"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed p7.yaml
var p7Scenario []byte

var p7 = &reproduce.Row{
	ID:    "P7",
	Title: "The same drawn, and a change that was tried",
	Paper: Paper,
	Reading: "Five parking lots, five sets of paths into one port and five ports shared with DCQCN, drawn from the " +
		"hash of the registry that fixed constants and criteria. In column keep-share no decrease takes a rate " +
		"below 0.35 of the base rate, below half of it windows are of the measured RTT, up to 50 us more than the " +
		"base one, and rates are drawn back from 1.15 of the base rate on.",
	Scenario: p7Scenario,
	Columns: []reproduce.Column{
		counted("algorithms.subject"),
		beside("return-to-base", "algorithms.subject", "{name: pc4, params: {set: return-to-base}}"),
		beside("keep-share", "algorithms.subject", "{name: pc4, params: {set: keep-share}}"),
	},
	Seeds: seeds,
	Quick: reproduce.Form{Seeds: seeds[:3], About: "three seeds"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, variant := range r.Variants() {
			var cells []cell
			switch {
			case strings.HasPrefix(variant, "lot"):
				// A port's rate over the flows is the proportional share of a flow that meets each of the others on
				// one link: 1 / (1 + links x others).
				cells = []cell{{"long flow over its proportional share", "", overShare("long")}}
			case strings.HasPrefix(variant, "lengths"):
				cells = []cell{{"Jain's index", "", evenness}}
			default:
				cells = []cell{{"own flow over its share", "", overShare("own")}}
			}
			cells = append(cells,
				cell{"utilisation", "", metric("utilisation")},
				cell{"p99 wait", "us", metric("queueing_p99_us")})
			list = append(list, measure(r, variant, variant, cells)...)
		}
		return list
	},
}

// overShare is the mean rate of a group's flows over that of the slowest port divided by all flows.
func overShare(group string) func(*reproduce.Run) float64 {
	return func(run *reproduce.Run) float64 {
		return meanOf(group)(run) / (portOf(run) / float64(len(run.Flows())))
	}
}
