package article

import "github.com/rocelab/rocelab/testbed/reproduction"

var a3 = &reproduction.Row{
	ID:     "A3",
	Title:  "Recovery by 5 % for each RTT gives the near flow more",
	Source: "RTT fairness",
	Paper:  Paper,
	Doubts: []string{"D5"},
	Reading: rttReading + " The article takes recovery per RTT for DCQCN's own rule, which it is not; it is an option " +
		"here. The step is 5 % of the line rate, in variant factor of the current rate. A flow's peak is its " +
		"largest rate in 100 us.",
	Scenario: rttScenario,
	Runs:     "RTT",
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick: reproduction.Form{
		Variants: []string{"per-rtt", "factor"},
		Seeds:    []uint64{1, 2, 3},
		About:    "three seeds",
	},
	Full:    reproduction.Form{Variants: []string{"per-rtt", "factor"}},
	Measure: measureShares,
	Published: []reproduction.Published{
		{
			Column:    standard,
			Figure:    ratioOf("per-rtt"),
			Value:     4,
			Tolerance: 0.25,
			Source:    "\"3-5x more bandwidth\"",
		},
		{
			Column:    standard,
			Figure:    nearPeak,
			Value:     0.85,
			Tolerance: 0.06,
			Source:    "\"at 85% of peak\"",
		},
		{
			Column:    standard,
			Figure:    farPeak,
			Value:     0.5,
			Tolerance: 0.2,
			Source:    "\"between 40% and 60%\"",
		},
	},
	Criteria: []reproduction.Criterion{
		{
			Name:  "unequal",
			Text:  "near flows have at least 1.5 times the far flows' rate with recovery per RTT",
			Grade: reproduction.Pass,
			Holds: everywhere(reproduction.AtLeast(ratioOf("per-rtt"), 1.5)),
		},
		{
			Name:  "3 to 5",
			Text:  "near flows have 3 to 5 times the far flows' rate",
			Grade: reproduction.Target,
			Holds: in(standard, reproduction.Between(ratioOf("per-rtt"), 3, 5)),
			Miss: &reproduction.Miss{
				Why: "the RTT in which a step is taken holds the queue, which both flows share: 8 us of it make " +
					"10 and 28 us of 2 and 20. With four flows of each kind, or with steps of 5 % of the current " +
					"rate, the ratio is 3 and more",
				Command: "rocelab reproduce A3",
			},
		},
		{
			Name:  "near peak",
			Text:  "a near flow's mean is 80 to 90 % of its peak",
			Grade: reproduction.Target,
			Holds: in(standard, reproduction.Between(nearPeak, 0.8, 0.9)),
			Miss: &reproduction.Miss{
				Why: "the article says neither what a peak is nor over which time it counts; with four flows " +
					"of each kind it is 0.82",
				Command: "rocelab reproduce A3",
			},
		},
		{
			Name:  "far peak",
			Text:  "a far flow's mean is 40 to 60 % of its peak",
			Grade: reproduction.Target,
			Holds: in(standard, reproduction.Between(farPeak, 0.4, 0.6)),
			Miss: &reproduction.Miss{
				Why: "the article says neither what a peak is nor over which time it counts; with four flows " +
					"of each kind it is 0.56",
				Command: "rocelab reproduce A3",
			},
		},
	},
}

const (
	nearPeak = "near, of its peak, per-rtt"
	farPeak  = "far, of its peak, per-rtt"
)
