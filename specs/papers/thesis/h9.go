package thesis

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

var h9 = &reproduce.Row{
	ID:     "H9",
	Title:  "How steady the RTT is: the distribution of |K|",
	Source: "section 3.3.1, Figure 8",
	Paper:  Paper,
	Reading: "K is the deviation of a sampled RTT from its running average, as a share of that. Figure 8 does not " +
		"state its flows; here it has all samples of all flows of the incast (rtt_swing.csv of each run).",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("hpcc", "dctcp", "timely", "pid"),
	Full:     of("hpcc", "dctcp", "timely", "pid"),
	Measure:  measureH9,
	Published: []reproduce.Published{
		{Column: "hpcc", Figure: below(0.04), Value: 90, Source: "text below Figure 8"},
		{Column: "dctcp", Figure: below(0.04), Value: 87, Source: "text below Figure 8"},
	},
}

const meanSwing = "mean |K|"

// below names the share of |K| that is below a bound.
func below(bound float64) string { return fmt.Sprintf("|K| below %g", bound) }

func measureH9(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range r.Variants() {
		runs := r.Of("", variant)
		list = append(list, runs.Metric(variant, meanSwing, "", "rtt_sample_swing_mean"))
		for _, bound := range []float64{0.02, 0.04, 0.08, 0.15, 1, 2} {
			list = append(list, runs.Figure(variant, below(bound), "%", func(run *reproduce.Run) float64 {
				return swingBelow(run, bound)
			}))
		}
	}
	return list
}

// swingBelow is the share in percent of a run's |K| below an edge of rtt_swing.csv. Its last row is the last that
// has samples: beyond it is 100 %.
func swingBelow(run *reproduce.Run, edge float64) float64 {
	for line := range run.Lines("rtt_swing.csv") {
		if line.Number("off_max") == edge {
			return 100 * line.Number("share_below")
		}
	}
	return 100
}
