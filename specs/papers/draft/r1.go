package draft

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed r1.yaml
var r1Scenario []byte

// scaled is what all rows of the draft say of their size.
const scaled = "The draft names neither workload nor baseline. Here two data centres have 16 NICs of 50 Gb/s, " +
	"1/64 of the draft's, with 120 km between them; packets are 4096 B. "

// training is the workload of the claim.
const training = "Two jobs of eight ranks do a hierarchical all-reduce of 64 MB a rank, of which 16 MB cross the " +
	"fibre, and compute for 10, 60 or 80 ms, in step or 8 ms apart. The bound is that of the plan, by the flows at " +
	"each port to the fibre, without queues; where end-to-end ECN has 0.85 of it there is nothing to show. "

var r1 = &reproduction.Row{
	ID:     "R1",
	Title:  "Training in two data centres, against one",
	Source: "Practice scenario",
	Paper:  Paper,
	Doubts: []string{"D7"},
	Reading: scaled + training + "The DCI is oversubscribed 4:1; paths are balanced, or as ECMP draws them. Congestion " +
		"is at the near spine's ports to the fibre.",
	Scenario: r1Scenario,
	Seeds:    []uint64{1, 2, 3},
	Quick: reproduction.Form{
		Grid: map[string][]string{
			"traffic.compute":    {"60ms"},
			"traffic.job1.start": {"0s"},
		},
		Variants: []string{"one-site", "ecn", "proximal", "ecn-ecmp", "proximal-ecmp", "rate-ecmp"},
		Seeds:    []uint64{1},
		About:    "60 ms of computation, jobs in step, no pauses, one seed",
	},
	Measure: measureClaim,
	Published: []reproduction.Published{{
		Column: "proximal",
		Figure: balanced("60ms").name() + ofOne,
		Value:  0.9,
		Source: "\"over 90% of ... single\"",
	}},
	Criteria: []reproduction.Criterion{
		{
			Name:  "not void",
			Text:  "where ECMP draws the paths end-to-end ECN alone is below 0.85 of the bound's rate",
			Grade: reproduction.Pass,
			Holds: notVoid(drawn("60ms")),
		},
		{
			Name:  "bound",
			Text:  "no run has all iterations shorter than the bound of jobs that drift",
			Grade: reproduction.Pass,
			Holds: noneFaster(cells4to1...),
		},
		{
			Name:  "claim",
			Text:  "from 60 ms of computation on the scheme has 0.99 of the bound's rate, on balanced paths",
			Grade: reproduction.Pass,
			Holds: keeps("proximal", 0.99, balanced("60ms"), balanced("80ms")),
		},
		{
			Name:  "claim, ECMP",
			Text:  "and where ECMP draws the paths",
			Grade: reproduction.Pass,
			Holds: keeps("proximal", 0.99, drawn("60ms"), drawn("80ms")),
			Miss: &reproduction.Miss{
				Why: "from the end of an iteration to the end of the next it takes the bound, but ranks of the site that the " +
					"hottest port keeps waiting begin and end some milliseconds after the other's, and an iteration lasts from " +
					"the first rank's begin to the last one's end. The first iteration, before they drift, is 1 to 2 % late: " +
					"CNPs leave the six flows of that port 46 of its 50 Gb/s, and nothing raises them",
				Command: "rocelab reproduce R1",
			},
		},
		{
			Name:  "draw",
			Text:  "where ECMP draws the paths it wins back 0.6 of what congestion costs beyond the bound",
			Grade: reproduction.Pass,
			Holds: winsBack("proximal", 0.6, drawn("60ms"), drawn("10ms")),
		},
		{
			Name:  "rate",
			Text:  "with the rate in the CNP it has 0.97 of the bound's rate there",
			Grade: reproduction.Pass,
			Holds: keeps("rate", 0.97, drawn("60ms"), drawn("80ms")),
		},
		{
			Name:  "lossless",
			Text:  "the scheme loses nothing",
			Grade: reproduction.Pass,
			Holds: nothingLost("proximal", cells4to1...),
		},
		{
			Name:     "90 %",
			Text:     "with 80 ms of computation it has 0.9 of one data centre's rate",
			Grade:    reproduction.Target,
			Holds:    in("proximal", reproduction.AtLeast(balanced("80ms").name()+ofOne, 0.9)),
			FullOnly: true,
		},
		{
			Name: "apart",
			Text: "jobs whose bursts are 8 ms apart lose as little with end-to-end ECN alone: 0.97 of the bound's rate " +
				"on balanced paths, which is void",
			Grade:    reproduction.Pass,
			Holds:    in("ecn", reproduction.AtLeast(apart(balanced("60ms")).name()+ofBound, 0.97)),
			FullOnly: true,
		},
	},
}

func balanced(compute string) cell { return cell{compute, "balanced", "0s"} }
func drawn(compute string) cell    { return cell{compute, "ecmp", "0s"} }

// apart is the cell with the second job 8 ms later.
func apart(c cell) cell {
	c.start = "8ms"
	return c
}

// cells4to1 are those of R1, cells1to1 those of R6.
var cells4to1, cells1to1 = allCells("balanced", "ecmp"), allCells("ecmp")

func allCells(draws ...string) (cells []cell) {
	for _, paths := range draws {
		for _, compute := range []string{"10ms", "60ms", "80ms"} {
			c := cell{compute, paths, "0s"}
			cells = append(cells, c, apart(c))
		}
	}
	return cells
}

func in(column string, holds func(reproduction.Figures) (bool, string)) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) { return holds(f.In(column)) }
}
