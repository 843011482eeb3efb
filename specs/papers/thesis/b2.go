package thesis

import "github.com/rocelab/rocelab/testbed/reproduction"

var b2 = loadRow("B2", "Small flows are faster under PIDNN", []string{"D8"},
	[]string{"dcqcn", "timely", "pidnn", "win", "pidnn-line", "win-line", "pidnn-5us", "win-5us"},
	reproduction.Criterion{
		Name:  "PIDNN",
		Text:  "in each part of at most 7 KB the p95 slowdown under PIDNN is below that under DCQCN and TIMELY",
		Grade: reproduction.Pass,
		Holds: less("pidnn", false, smallParts(), "dcqcn", "timely"),
	},
	reproduction.Criterion{
		Name:  "+WIN",
		Text:  "and that with +WIN is not above that of PIDNN",
		Grade: reproduction.Pass,
		Holds: less("win", true, smallParts(), "pidnn"),
		Miss: &reproduction.Miss{
			Why: "Flows that begin at 10 Gb/s fill no queue that a window could shorten: of all flows below 7 KB both " +
				"have 1.3. RTTch, which +WIN brings along, lets the queue grow, for some hundredths in most parts. Begun at " +
				"line rate +WIN is far below PIDNN, as printed.",
			Command: "rocelab reproduce B2",
		},
	},
	reproduction.Criterion{
		Name:  "+WIN, line",
		Text:  "begun at line rate that with +WIN is not above that of PIDNN",
		Grade: reproduction.Target,
		Holds: less("win-line", true, smallParts(), "pidnn-line"),
	},
	reproduction.Criterion{
		Name:  "+WIN, 5 us",
		Text:  "nor with a target of 5 us on every path",
		Grade: reproduction.Target,
		Holds: less("win-5us", true, smallParts(), "pidnn-5us"),
	},
)
