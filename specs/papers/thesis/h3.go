package thesis

import (
	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

var h3 = &reproduce.Row{
	ID:     "H3",
	Title:  "The order of HPCC, LSTM+PID, TIMELY and DCTCP by RTT",
	Source: "section 4.4.1, Table 6",
	Paper:  Paper,
	Doubts: []string{"D8"},
	Reading: "The rows of HPCC and DCTCP agree with RTTs of all packets, that of TIMELY with samples, and only if its " +
		"flows begin at 10 Gb/s, as section 4.1.2 has it, and not at the 100 Gb/s of section 4.4.1 (see H8). TIMELY has " +
		"the constants of its paper, a gradient unit of 20 us; timely-4us are those for an RTT of 4 us.",
	Scenario:  incastScenario,
	Runs:      incastRuns,
	Seeds:     fiveSeeds,
	Quick:     of("lstm", "hpcc", "timely", "dctcp", "timely-4us"),
	Full:      of("lstm", "hpcc", "timely", "dctcp", "timely-4us"),
	Measure:   measureIncast,
	Published: tableSix,
}

// tableSix is Table 6, by the RTTs with which each column agrees.
var tableSix = append(append(append(
	table("Table 6", "lstm", map[string]float64{sampledMean: 5.0302, sampledP99: 6.276, sampledMax: 21.144,
		meanRate: 21.1789}),
	table("Table 6", "hpcc", map[string]float64{allMean: 4.3223, allP99: 4.56, allMax: 90.48, meanRate: 16.3949})...),
	table("Table 6", "timely", map[string]float64{sampledMean: 11.9797, sampledP99: 102.673, sampledMax: 165.244,
		meanRate: 15.6302})...),
	table("Table 6", "dctcp", map[string]float64{allMean: 14.6578, allP99: 28.054, allMax: 86.32, meanRate: 17.47})...)
