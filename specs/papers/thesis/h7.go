package thesis

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var h7 = &reproduce.Row{
	ID:     "H7",
	Title:  "The largest RTT of who begins at line rate is a queue of 19 windows",
	Source: "section 4.4.1, Table 6",
	Paper:  Paper,
	Doubts: []string{"D8"},
	Reading: "Nineteen first windows of a BDP, 950 KB, take 76 us: 80 us with the way. LSTM+PID is beside it, which " +
		"begins at 10 Gb/s.",
	Scenario: incastScenario,
	Runs:     incastRuns,
	Seeds:    fiveSeeds,
	Quick:    of("hpcc", "dctcp", "lstm"),
	Full:     of("hpcc", "dctcp", "lstm"),
	Measure:  measureIncast,
	Published: append(append(
		table("Table 6", "hpcc", map[string]float64{allMax: 90.48}),
		table("Table 6", "dctcp", map[string]float64{allMax: 86.32})...),
		table("Table 6", "lstm", map[string]float64{allMax: 21.144})...),
}
