package pc4

import (
	_ "embed"
	"strconv"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed n1.yaml
var n1Scenario []byte

var n1 = &reproduce.Row{
	ID:     "N1",
	Title:  "Clocks that agree to 100 ns, n flows into one port",
	Source: "Sections II-A and III-B",
	Paper:  Paper,
	Doubts: []string{"D10"},
	Reading: "The paper states, without showing it, that 100 ns are enough. Each clock has an offset drawn within " +
		"100 ns and a drift of up to 1 ppm, set right each 10 ms; the criteria are those of F6a.",
	Scenario: n1Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, n := range degrees {
			for _, column := range r.Columns() {
				list = append(list, incastFigures(r.Of(column, "pc4", "topology.hosts="+strconv.Itoa(n+1)), column, n, "")...)
			}
		}
		return list
	},
}
