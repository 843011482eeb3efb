package pc4

import (
	_ "embed"
	"math"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed c3.yaml
var c3Scenario []byte

var c3 = &reproduce.Row{
	ID:     "C3",
	Title:  "How many round trips until rates are stable after a flow joins or leaves",
	Source: "Sections I, III-A and III-D",
	Paper:  Paper,
	Doubts: []string{"D11"},
	Reading: "No figure is printed. A rate, as the sender sets it, is stable when it stays within 10 % of the " +
		"fair share, 50 Gb/s for two flows and 100 for one. Counted is the time from the change to the " +
		"last bin of 1 us with another rate, in round trips of an empty path, 4.193 us.",
	Scenario: c3Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick:    reproduce.Form{Seeds: seeds[:1], About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		each(r, map[string]string{"pc4": ""}, func(column, suffix string, runs reproduce.Runs) {
			list = append(list,
				runs.Figure(column, "stable after the join"+suffix, "RTT", func(run *reproduce.Run) float64 {
					return settled(run).join
				}),
				runs.Figure(column, "stable after the leave"+suffix, "RTT", func(run *reproduce.Run) float64 {
					return settled(run).leave
				}))
		})
		return list
	},
}

// settling is after how many round trips rates stay within a tenth of the fair share.
type settling struct{ join, leave float64 }

func settled(run *reproduce.Run) (s settling) {
	flows := run.Flows()
	if len(flows) < 2 || math.IsNaN(flows[1].End) {
		return settling{math.NaN(), math.NaN()}
	}
	join, leave := flows[1].Start, flows[1].End
	off := func(rate, fair float64) bool { return math.Abs(rate-fair) > 0.1*fair }
	for line := range run.Lines("series_flows.csv") {
		at, rate := line.Microseconds("time_us"), line.Number("rate_gbps")
		switch {
		case at >= join && at < leave && off(rate, 50):
			s.join = max(s.join, (at-join)/baseRTT)
		case at >= leave && strings.HasPrefix(line.Text("flow"), "long") && off(rate, 100):
			s.leave = max(s.leave, (at-leave)/baseRTT)
		}
	}
	return s
}
