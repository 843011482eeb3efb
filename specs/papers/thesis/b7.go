package thesis

import "github.com/rocelab/rocelab/testbed/reproduction"

var b7 = loadRow("B7", "With a window small flows are faster than under HPCC and DCQCN", nil,
	[]string{"dcqcn", "hpcc", "win", "win-line", "win-5us"},
	reproduction.Criterion{
		Name:  "DCQCN",
		Text:  "below 7 KB the p95 slowdown with +WIN is below that under DCQCN",
		Grade: reproduction.Pass,
		Holds: less("win", false, []string{smallP95}, "dcqcn"),
	},
	reproduction.Criterion{
		Name:  "HPCC",
		Text:  "and below that under HPCC",
		Grade: reproduction.Pass,
		Holds: less("win", false, []string{smallP95}, "hpcc"),
		Miss: &reproduction.Miss{
			Why: "A target of 1.19 base RTTs is a queue that small flows meet; HPCC has next to none. With 5 us on every " +
				"path, below the base RTT of most, the queue stays empty and +WIN is below HPCC, as printed (columns -5us): " +
				"then it falls behind beyond 7 KB as sharply as the text says.",
			Command: "rocelab reproduce B7",
		},
	},
	reproduction.Criterion{
		Name:  "HPCC, 5 us",
		Text:  "begun at line rate, with a target of 5 us on every path, it is below that under HPCC",
		Grade: reproduction.Target,
		Holds: less("win-5us", false, []string{smallP95}, "hpcc"),
	},
)
