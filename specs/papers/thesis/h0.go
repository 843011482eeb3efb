package thesis

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var h0 = &reproduce.Row{
	ID:     "H0",
	Title:  "The PID by itself keeps the RTT at its target of 5 us",
	Source: "section 4.2, Figure 18",
	Paper:  Paper,
	Reading: "The RTT is sampled once a round trip of each flow, and the sample is the input of the PID. Column " +
		"empty is a single flow, at 10 Gb/s: its RTT is the shortest of the path.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("pid", "empty"),
	Full:     of("pid", "empty"),
	Measure:  measureIncast,
	Published: table("Figure 18", "pid", map[string]float64{sampledMean: 4.9616, sampledP99: 7.462, sampledMax: 24.552,
		meanRate: 14.7977}),
}
