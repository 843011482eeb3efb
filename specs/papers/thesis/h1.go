package thesis

import (
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

var h1 = &reproduce.Row{
	ID:     "H1",
	Title:  "The RTT follows a target of 5, 6 and 7 us",
	Source: "section 4.3, Table 4",
	Paper:  Paper,
	Reading: "Table 4 does not state which RTTs it is about. In Section 3.2 one packet of each round trip is " +
		"sampled, so criteria are about these; the RTTs of all packets are printed beside them, and come closer.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("lstm", "lstm-6us", "lstm-7us", "pid-7us"),
	Full:     of("lstm", "lstm-6us", "lstm-7us", "pid-7us"),
	Measure:  measureIncast,
	Published: append(append(
		table("Table 4", "lstm", map[string]float64{allMean: 5.0302, allP99: 6.276, allMax: 21.144, meanRate: 21.1789}),
		table("Table 4", "lstm-6us", map[string]float64{allMean: 6.0611, allP99: 10.253, allMax: 23.986,
			meanRate: 15.7269})...),
		table("Table 4", "lstm-7us", map[string]float64{allMean: 7.1478, allP99: 12.906, allMax: 48.699,
			meanRate: 11.2404})...),
}
