package thesis

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var h11 = &reproduce.Row{
	ID:     "H11",
	Title:  "A target of 5 us is the right one for the incast",
	Source: "section 4.3.2",
	Paper:  Paper,
	Reading: "The thesis tries 5, 6 and 7 us, and calls right what keeps the queue nearly empty. Beside them " +
		"are 4.3 and 4.5 us, above the base RTT of 4.16 us.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("lstm-4300ns", "lstm-4500ns", "lstm", "lstm-6us", "lstm-7us", "empty"),
	Full:     of("lstm-4300ns", "lstm-4500ns", "lstm", "lstm-6us", "lstm-7us", "empty"),
	Measure:  measureIncast,
}
