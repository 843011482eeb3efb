package article

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

var a4 = &reproduction.Row{
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
	Quick: reproduction.Form{
		Variants: []string{"per-rtt", "rtt-in-cnp", "rir"},
		Seeds:    []uint64{1, 2, 3},
		About:    "three seeds",
	},
	Full:    reproduction.Form{Variants: []string{"per-rtt", "rtt-in-cnp", "rir"}},
	Measure: measureShares,
	Criteria: []reproduction.Criterion{
		{
			Name:  "equal",
			Text:  "neither kind has more than 1.3 times the other's rate with RIR",
			Grade: reproduction.Pass,
			Holds: everywhere(equal("rir", 1.3)),
		},
		{
			Name:  "mended",
			Text:  "the ratio with RIR is below that with recovery per RTT",
			Grade: reproduction.Pass,
			Holds: everywhere(below("rir", "per-rtt")),
		},
		{
			Name:  "RTT in CNP",
			Text:  "so is the ratio where CNPs bring the RTT back",
			Grade: reproduction.Pass,
			Holds: everywhere(below("rtt-in-cnp", "per-rtt")),
		},
		{
			Name:  "within 10 %",
			Text:  "neither kind has more than 1.1 times the other's rate with RIR",
			Grade: reproduction.Target,
			Holds: in(standard, equal("rir", 1.1)),
		},
	},
}

// below holds if the near flows have less beyond the far flows' rate in one variant than in
// another.
func below(variant, other string) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		ratio, than := f.Of(ratioOf(variant)), f.Of(ratioOf(other))
		return ratio.Median() < than.Median(), fmt.Sprintf("%v, %v", ratio, than)
	}
}
