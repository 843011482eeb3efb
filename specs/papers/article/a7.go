package article

import "github.com/rocelab/rocelab/testbed/many/reproduce"

var a7 = &reproduce.Row{
	ID:     "A7",
	Title:  "DCQCN as it is gives near and far flows about the same",
	Source: "RTT fairness",
	Paper:  Paper,
	Doubts: []string{"D5"},
	Reading: rttReading + " The control of A3: DCQCN recovers by a timer and a byte counter, which know no RTT. Variant " +
		"fraction has the article's rule for alpha, CNPs over packets.",
	Scenario: rttScenario,
	Runs:     "RTT",
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduce.Form{
		Variants: []string{"timer", "fraction"},
		Seeds:    []uint64{1, 2, 3},
		About:    "three seeds",
	},
	Full:    reproduce.Form{Variants: []string{"timer", "fraction"}},
	Measure: measureShares,
}
