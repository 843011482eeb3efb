package draft

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r1.yaml
var r1Scenario []byte

// scaled is what all rows of the draft say of their size.
const scaled = "The draft names neither workload nor baseline. Here two data centres have 16 NICs of 50 Gb/s, " +
	"1/64 of the draft's, with 120 km between them; packets are 4096 B. "

// training is the workload of the claim.
const training = "Two jobs of eight ranks do a hierarchical all-reduce of 64 MB a rank (16 MB cross the fibre) and " +
	"compute for 10, 60 or 80 ms, in step or 8 ms apart. The bound comes from the plan, by the flows at each port " +
	"to the fibre, without queues; if end-to-end ECN has 0.85 of it there is nothing to show. "

var r1 = &reproduce.Row{
	ID:     "R1",
	Title:  "Training in two data centres, against one",
	Source: "Practice scenario",
	Paper:  Paper,
	Doubts: []string{"D7"},
	Reading: scaled + training + "The DCI is oversubscribed 4:1; paths are balanced, or as ECMP draws them. Congestion " +
		"is at the near spine's ports to the fibre.",
	Scenario: r1Scenario,
	Seeds:    []uint64{1, 2, 3},
	Quick: reproduce.Form{
		Grid: map[string][]string{
			"traffic.compute":    {"60ms"},
			"traffic.job1.start": {"0s"},
		},
		Variants: []string{"one-site", "ecn", "proximal", "ecn-ecmp", "proximal-ecmp", "rate-ecmp"},
		Seeds:    []uint64{1},
		About:    "60 ms of computation, jobs in step, no pauses, one seed",
	},
	Measure: measureClaim,
	Published: []reproduce.Published{{
		Column: "proximal",
		Figure: balanced("60ms").name() + ofOne,
		Value:  0.9,
		Source: "\"over 90% of ... single\"",
	}},
}

func balanced(compute string) cell { return cell{compute, "balanced", "0s"} }
func drawn(compute string) cell    { return cell{compute, "ecmp", "0s"} }
