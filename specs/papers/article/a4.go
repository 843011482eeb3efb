package article

import (
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

var a4 = &reproduce.Row{
	ID:     "A4",
	Title:  "RTT-independent recovery gives near and far flows the same",
	Source: "RTT fairness",
	Paper:  Paper,
	Reading: rttReading + " RIR adds 1 Gb/s at each tick of a clock of 100 us. \"DCQCN Extended\" has no public " +
		"description: in variant rtt-in-cnp a CNP brings back the sender's RTT, and the step is scaled by RTT / " +
		"10 us.",
	Scenario: rttScenario,
	Runs:     "RTT",
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduce.Form{
		Variants: []string{"per-rtt", "rtt-in-cnp", "rir"},
		Seeds:    []uint64{1, 2, 3},
		About:    "three seeds",
	},
	Full:    reproduce.Form{Variants: []string{"per-rtt", "rtt-in-cnp", "rir"}},
	Measure: measureShares,
}
