package thesis

import (
	"fmt"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

var h3 = &reproduction.Row{
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
	Criteria: []reproduction.Criterion{
		{
			Name:  "mean",
			Text:  "the mean RTT of HPCC is below that of LSTM+PID, and this below those of TIMELY and DCTCP",
			Grade: reproduction.Pass,
			Holds: all(tableSixOrder("mean", "hpcc", "lstm"), tableSixOrder("mean", "lstm", "timely"),
				tableSixOrder("mean", "lstm", "dctcp")),
		},
		{
			Name:  "p99",
			Text:  "the 99th percentile of HPCC is below that of LSTM+PID, and this below that of DCTCP",
			Grade: reproduction.Pass,
			Holds: all(tableSixOrder("p99", "hpcc", "lstm"), tableSixOrder("p99", "lstm", "dctcp")),
		},
		{
			Name:  "printed",
			Text:  "the mean RTT of each is within 15 % of Table 6",
			Grade: reproduction.Target,
			Holds: all(near("hpcc", allMean, 4.3223, 0.15), near("lstm", sampledMean, 5.0302, 0.15),
				near("timely", sampledMean, 11.9797, 0.15), near("dctcp", allMean, 14.6578, 0.15)),
		},
		{
			Name:  "agreement, hpcc",
			Text:  "mean, 99th percentile and largest RTT of HPCC are within 2 % of Table 6",
			Grade: reproduction.Pass,
			Holds: all(near("hpcc", allMean, 4.3223, 0.02), near("hpcc", allP99, 4.56, 0.02),
				near("hpcc", allMax, 90.48, 0.02)),
		},
		{
			Name:  "agreement, dctcp",
			Text:  "mean, 99th percentile and largest RTT of DCTCP are within 2 % of Table 6",
			Grade: reproduction.Pass,
			Holds: all(near("dctcp", allMean, 14.6578, 0.02), near("dctcp", allP99, 28.054, 0.02),
				near("dctcp", allMax, 86.32, 0.02)),
		},
		{
			Name:  "agreement, timely",
			Text:  "mean, 99th percentile and largest sampled RTT of TIMELY are within 2 % of Table 6",
			Grade: reproduction.Pass,
			Holds: all(near("timely", sampledMean, 11.9797, 0.02), near("timely", sampledP99, 102.673, 0.02),
				near("timely", sampledMax, 165.244, 0.02)),
		},
	},
}

// tableSix is Table 6, by the RTTs with which each column agrees.
var tableSix = append(append(append(
	table("Table 6", "lstm", map[string]float64{sampledMean: 5.0302, sampledP99: 6.276, sampledMax: 21.144,
		meanRate: 21.1789}),
	table("Table 6", "hpcc", map[string]float64{allMean: 4.3223, allP99: 4.56, allMax: 90.48, meanRate: 16.3949})...),
	table("Table 6", "timely", map[string]float64{sampledMean: 11.9797, sampledP99: 102.673, sampledMax: 165.244,
		meanRate: 15.6302})...),
	table("Table 6", "dctcp", map[string]float64{allMean: 14.6578, allP99: 28.054, allMax: 86.32, meanRate: 17.47})...)

// tableSixOrder holds if one column has a smaller mean, or p99, than another, both by the RTTs with
// which the column agrees.
func tableSixOrder(which, less, more string) func(reproduction.Figures) (bool, string) {
	name := func(column string) string {
		names := map[string][2]string{"mean": {sampledMean, allMean}, "p99": {sampledP99, allP99}}[which]
		if column == "hpcc" || column == "dctcp" {
			return names[1]
		}
		return names[0]
	}
	return func(f reproduction.Figures) (bool, string) {
		a, b := f.In(less).Median(name(less)), f.In(more).Median(name(more))
		return a < b, fmt.Sprintf("%s %.4g, %s %.4g", less, a, more, b)
	}
}
