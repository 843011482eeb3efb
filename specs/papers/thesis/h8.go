package thesis

import (
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

var h8 = &reproduce.Row{
	ID:     "H8",
	Title:  "Table 6 once more, all begun at one rate",
	Source: "section 4.4.1, Table 6",
	Paper:  Paper,
	Doubts: []string{"D8"},
	Reading: "LSTM+PID begins at 10 Gb/s there, the others at 100. Here all do both. At 100 Gb/s the algorithms " +
		"without a window, LSTM+PID and TIMELY, are only held back by PFC.",
	Scenario:  incastScenario,
	Runs:      incastRuns,
	Seeds:     fiveSeeds,
	Quick:     of("lstm", "hpcc-10g", "timely", "dctcp-10g", "lstm-100g", "hpcc", "timely-100g", "dctcp"),
	Full:      of("lstm", "hpcc-10g", "timely", "dctcp-10g", "lstm-100g", "hpcc", "timely-100g", "dctcp"),
	Measure:   measureIncast,
	Published: tableSix,
}
