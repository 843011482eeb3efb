package draft

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed r3.yaml
var r3Scenario []byte

var r3 = &reproduction.Row{
	ID:     "R3",
	Title:  "Loss, by the memory of ports to the fibre",
	Source: "Conclusion",
	Paper:  Paper,
	Reading: scaled + "Eight jobs of two ranks exchange 16 MB each way, three times, over a DCI that is oversubscribed " +
		"4:1. Kmin and Kmax are 0.3 and 0.6 of the memory.",
	Scenario: r3Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduction.Form{Seeds: []uint64{1}, About: "one seed"},
	Measure:  measureR3,
	Criteria: []reproduction.Criterion{
		{
			Name:  "not void",
			Text:  "end-to-end ECN loses frames somewhere",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				most := 0.0
				for _, memory := range memoriesOfR3 {
					most = max(most, f.In(memory.name).Median("lost, ecn"))
				}
				return most > 0, fmt.Sprintf("%.0f", most)
			},
		},
		{
			Name:  "no more",
			Text:  "the scheme loses no more frames than end-to-end ECN with any memory, and fewer with one at least",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				noMore, fewer, texts := true, false, []string{}
				for _, memory := range memoriesOfR3 {
					scheme, ecn := f.In(memory.name).Median("lost, proximal"), f.In(memory.name).Median("lost, ecn")
					noMore, fewer = noMore && scheme <= ecn, fewer || scheme < ecn
					texts = append(texts, fmt.Sprintf("%.0f of %.0f", scheme, ecn))
				}
				return noMore && fewer, strings.Join(texts, ", ")
			},
		},
		{
			Name:  "nothing",
			Text:  "the scheme loses nothing wherever end-to-end ECN loses frames",
			Grade: reproduction.Target,
			Holds: func(f reproduction.Figures) (bool, string) {
				holds, texts := true, []string{}
				for _, memory := range memoriesOfR3 {
					scheme := f.In(memory.name).Largest("lost, proximal")
					holds = holds && (scheme == 0 || f.In(memory.name).Median("lost, ecn") == 0)
					texts = append(texts, fmt.Sprintf("%.0f", scheme))
				}
				return holds, strings.Join(texts, ", ") + " frames"
			},
			Miss: &reproduction.Miss{
				Why: "a quarter of RTT x rate is full 0.1 ms after a burst begins. A flow is metered for 50 us first, and " +
					"then cut every 4 us by half of alpha, which has decayed since the last burst: some 30 cuts take longer",
				Command: "rocelab reproduce R3",
			},
		},
	},
}

var memoriesOfR3 = []struct{ name, buffer string }{
	{"2.5 RTT x rate", "18.75MB"}, {"1 RTT x rate", "7.5MB"}, {"0.25 RTT x rate", "1875KB"},
}

func measureR3(r *reproduction.Results) (list []reproduction.Figure) {
	for _, memory := range memoriesOfR3 {
		for _, variant := range r.Variants() {
			runs := r.Of("", variant, "switch.dci.buffer="+memory.buffer)
			list = append(list,
				runs.Metric(memory.name, "lost, "+variant, "frames", "drops"),
				runs.Figure(memory.name, "iteration, "+variant, "ms", func(run *reproduction.Run) float64 {
					return run.Metric("iteration_mean_us") / 1000
				}))
		}
	}
	return list
}
