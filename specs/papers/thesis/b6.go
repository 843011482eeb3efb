package thesis

import "github.com/rocelab/rocelab/testbed/reproduction"

var b6 = loadRow("B6", "Flows above 336 KB are slower under PIDNN", nil,
	[]string{"dcqcn", "timely", "pidnn", "pidnn-line", "pidnn-5us"},
	reproduction.Criterion{
		Name:  "TIMELY",
		Text:  "above 336 KB the p95 slowdown under PIDNN is above that under TIMELY",
		Grade: reproduction.Pass,
		Holds: less("timely", false, []string{largeP95}, "pidnn"),
		Miss:  missOfB6,
	},
	reproduction.Criterion{
		Name:  "DCQCN",
		Text:  "and above that under DCQCN",
		Grade: reproduction.Pass,
		Holds: less("dcqcn", false, []string{largeP95}, "pidnn"),
		Miss:  missOfB6,
	},
)

// missOfB6 is of the published size alone.
var missOfB6 = &reproduction.Miss{
	Why: "Incasts of 60 senders at line rate fill buffers under DCQCN and TIMELY, and the pauses that follow reach " +
		"all: the p95 of large flows is 21 and 36 there, 15 under PIDNN, which begins at 10 Gb/s. Begun at line rate " +
		"PIDNN has 37, and the order is as printed.",
	Command: "rocelab reproduce B6 --full",
	In:      "full",
}
