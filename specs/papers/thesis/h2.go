package thesis

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var h2 = &reproduce.Row{
	ID:       "H2",
	Title:    "The incast ends in the time that the port needs",
	Source:   "section 4.3, Table 5",
	Paper:    Paper,
	Reading:  "Wires are counted as the simulator counts them: 635 MB then take 52.71 ms at least.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("lstm", "lstm-6us", "lstm-7us"),
	Full:     of("lstm", "lstm-6us", "lstm-7us"),
	Measure:  measureIncast,
	Published: append(append(
		table("Table 5", "lstm", map[string]float64{finish: 53.7560}),
		table("Table 5", "lstm-6us", map[string]float64{finish: 53.6880})...),
		table("Table 5", "lstm-7us", map[string]float64{finish: 53.5559})...),
}
