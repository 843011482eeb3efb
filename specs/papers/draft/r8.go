package draft

import (
	_ "embed"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r8.yaml
var r8Scenario []byte

var r8 = &reproduce.Row{
	ID:     "R8",
	Title:  "A flow that is congested in one period is so in all",
	Source: "Congestion control process",
	Paper:  Paper,
	Reading: scaled + "The jobs are those of row R4, under end-to-end ECN, which acts only on queues. A flow of " +
		"the first job counts as congested in a period if its sender gets CNPs. Paths are as ECMP draws them.",
	Scenario: r8Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduce.Form{Seeds: []uint64{1}, About: "one seed"},
	Measure: func(r *reproduce.Results) (list []reproduce.Figure) {
		for _, setting := range []struct{ column, start string }{{"one job", "1s"}, {"two jobs", "0s"}} {
			runs := r.Of("", "", "traffic.job1.start="+setting.start)
			list = append(list,
				runs.Figure(setting.column, "flows with CNPs in the first period", "", func(run *reproduce.Run) float64 {
					return congestedAgain(run).first
				}),
				runs.Figure(setting.column, "flows with CNPs in every period, of those", "", func(run *reproduce.Run) float64 {
					again := congestedAgain(run)
					return again.always / again.first
				}))
		}
		return list
	},
}

// again counts the first job's flows that have CNPs in the first period, and those of them that have some in every one.
type again struct{ first, always float64 }

func congestedAgain(run *reproduce.Run) (count again) {
	begins := beginsOf(run)
	congested := map[string]map[int]bool{}
	for line := range run.Lines("series_flows.csv") {
		if line.Number("cnps_received") > 0 && strings.HasPrefix(line.Text("flow"), "job0") {
			flow := strings.Clone(line.Text("flow"))
			if congested[flow] == nil {
				congested[flow] = map[int]bool{}
			}
			congested[flow][periodAt(begins, line.Microseconds("time_us"))] = true
		}
	}
	for _, periods := range congested {
		if periods[0] {
			count.first++
			if len(periods) == len(begins) {
				count.always++
			}
		}
	}
	return count
}
