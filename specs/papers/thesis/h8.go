package thesis

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

var h8 = &reproduction.Row{
	ID:     "H8",
	Title:  "Table 6 once more, all begun at one rate",
	Source: "section 4.4.1, Table 6",
	Paper:  Paper,
	Doubts: []string{"D8"},
	Reading: "LSTM+PID begins at 10 Gb/s there, the others at 100. Here all do the one and the other. At 100 Gb/s " +
		"what has no window, LSTM+PID and TIMELY, is held back by PFC alone.",
	Scenario:  incastScenario,
	Runs:      incastRuns,
	Seeds:     fiveSeeds,
	Quick:     of("lstm", "hpcc-10g", "timely", "dctcp-10g", "lstm-100g", "hpcc", "timely-100g", "dctcp"),
	Full:      of("lstm", "hpcc-10g", "timely", "dctcp-10g", "lstm-100g", "hpcc", "timely-100g", "dctcp"),
	Measure:   measureIncast,
	Published: tableSix,
	Criteria: []reproduction.Criterion{
		{
			Name:  "begun at 10 Gb/s",
			Text:  "LSTM+PID no longer has the least largest RTT: that of HPCC is not above it",
			Grade: reproduction.Pass,
			Holds: notLeast("lstm", "hpcc-10g"),
		},
		{
			Name:  "begun at 100 Gb/s",
			Text:  "LSTM+PID no longer has the least largest RTT: those of HPCC and DCTCP are not above it",
			Grade: reproduction.Pass,
			Holds: all(notLeast("lstm-100g", "hpcc"), notLeast("lstm-100g", "dctcp")),
		},
	},
}

// notLeast holds if the largest RTT of one column is not below that of another.
func notLeast(one, other string) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		a, b := f.In(one).Median(allMax), f.In(other).Median(allMax)
		return a >= b, fmt.Sprintf("%s %.4g us, %s %.4g us", one, a, other, b)
	}
}
