package article

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var a3 = &reproduce.Row{
	ID:     "A3",
	Title:  "Recovery by 5 % for each RTT gives the near flow more",
	Source: "RTT fairness",
	Paper:  Paper,
	Doubts: []string{"D5"},
	Reading: rttReading + " The article takes recovery per RTT for DCQCN's own rule, which it is not; it is an option " +
		"here. The step is 5 % of the line rate, in variant factor of the current rate. A flow's peak is its " +
		"largest rate in 100 us.",
	Scenario: rttScenario,
	Runs:     "RTT",
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduce.Form{
		Variants: []string{"per-rtt", "factor"},
		Seeds:    []uint64{1, 2, 3},
		About:    "three seeds",
	},
	Full:    reproduce.Form{Variants: []string{"per-rtt", "factor"}},
	Measure: measureShares,
	Published: []reproduce.Published{
		{
			Column:    standard,
			Figure:    ratioOf("per-rtt"),
			Value:     4,
			Tolerance: 0.25,
			Source:    "\"3-5x more bandwidth\"",
		},
		{
			Column:    standard,
			Figure:    nearPeak,
			Value:     0.85,
			Tolerance: 0.06,
			Source:    "\"at 85% of peak\"",
		},
		{
			Column:    standard,
			Figure:    farPeak,
			Value:     0.5,
			Tolerance: 0.2,
			Source:    "\"between 40% and 60%\"",
		},
	},
}

const (
	nearPeak = "near, of its peak, per-rtt"
	farPeak  = "far, of its peak, per-rtt"
)
