package thesis

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var h0 = &reproduce.Row{
	ID:     "H0",
	Title:  "The PID alone keeps the RTT at its target of 5 us",
	Source: "section 4.2, Figure 18",
	Paper:  Paper,
	Reading: "The RTT is sampled once a round trip of each flow, and the sample is what the PID is fed. " +
		"Column empty is a flow alone, at 10 Gb/s: its RTT is the least that the path has.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("pid", "empty"),
	Full:     of("pid", "empty"),
	Measure:  measureIncast,
	Published: table("Figure 18", "pid", map[string]float64{sampledMean: 4.9616, sampledP99: 7.462, sampledMax: 24.552,
		meanRate: 14.7977}),
}
