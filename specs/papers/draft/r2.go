package draft

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed r2.yaml
var r2Scenario []byte

var r2 = &reproduce.Row{
	ID:     "R2",
	Title:  "How soon a sender hears of congestion, at three places",
	Source: "Congestion control process",
	Paper:  Paper,
	Doubts: []string{"D6"},
	Reading: scaled + "Four senders and, place by place, links and receivers that put the only congestion there. The " +
		"time is from the first queue beyond its threshold to the first CNP at a sender.",
	Scenario: r2Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduce.Form{Variants: []string{"ecn", "proximal", "always"}},
	Measure:  measureR2,
}

// placesOfR2 are the places of congestion, with what tells their runs apart.
var placesOfR2 = []struct {
	name string
	keys []string
}{
	{"near spine", []string{"topology.uplink_rate=200Gbps", "topology.dci_rate=50Gbps"}},
	{"far spine", []string{"topology.uplink_rate=50Gbps"}},
	{"far leaf", []string{"topology.uplink_rate=200Gbps", "topology.dci_rate=400Gbps"}},
}

func measureR2(r *reproduce.Results) (list []reproduce.Figure) {
	for _, place := range placesOfR2 {
		for _, variant := range r.Variants() {
			runs := r.Of("", variant, place.keys...)
			list = append(list,
				runs.Metric(place.name, "feedback, "+variant, "us", "feedback_us"),
				runs.Metric(place.name, "lost, "+variant, "frames", "drops"),
				runs.Figure(place.name, "duration, "+variant, "ms", func(run *reproduce.Run) float64 {
					return run.Metric("duration_us") / 1000
				}))
		}
	}
	return list
}
