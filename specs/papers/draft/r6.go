package draft

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r6.yaml
var r6Scenario []byte

var r6 = &reproduce.Row{
	ID:     "R6",
	Title:  "The same with the draft's own DCI, which is not oversubscribed",
	Source: "Practice scenario",
	Paper:  Paper,
	Doubts: []string{"D7"},
	Reading: scaled + training + "The DCI is 1:1, 4 x 100 Gb/s each way. Only ECMP makes three to five flows of 50 " +
		"Gb/s meet at a port: there is no congestion at all with balanced paths. With the rate in the CNP switches " +
		"always send notifications, even if that is not nearer: repeating a rate does no harm.",
	Scenario: r6Scenario,
	Seeds:    []uint64{1, 2, 3},
	Quick: reproduce.Form{
		Grid: map[string][]string{
			"traffic.compute":    {"60ms"},
			"traffic.job1.start": {"0s"},
		},
		Variants: []string{"one-site", "ecn-ecmp", "rate-ecmp"},
		Seeds:    []uint64{1},
		About:    "60 ms of computation, jobs in step, no plain CNPs and no pauses, one seed",
	},
	Measure: measureClaim,
	Published: []reproduce.Published{{
		Column: "rate",
		Figure: drawn("60ms").name() + ofOne,
		Value:  0.9,
		Source: "\"over 90% of ... single\"",
	}},
}
