package draft

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/testbed/reproduction"
)

//go:embed r2.yaml
var r2Scenario []byte

var r2 = &reproduction.Row{
	ID:     "R2",
	Title:  "How soon a sender hears of congestion, at three places",
	Source: "Congestion control process",
	Paper:  Paper,
	Doubts: []string{"D6"},
	Reading: scaled + "Four senders and, place by place, links and receivers that put the only congestion there. The " +
		"time is from the first queue beyond its threshold to the first CNP at a sender.",
	Scenario: r2Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduction.Form{Variants: []string{"ecn", "proximal", "always"}},
	Measure:  measureR2,
	Criteria: []reproduction.Criterion{
		{
			Name:  "near spine",
			Text:  "at the near spine's port to the fibre the scheme takes a tenth of end-to-end ECN's time or less",
			Grade: reproduction.Pass,
			Holds: sooner("near spine", 0.1),
		},
		{
			Name:  "far spine",
			Text:  "at the far spine nobody is told, for it is not nearer: each run is that of end-to-end ECN",
			Grade: reproduction.Pass,
			Holds: sameAsECN("far spine"),
		},
		{
			Name:  "far leaf",
			Text:  "at the far leaf so, too",
			Grade: reproduction.Pass,
			Holds: sameAsECN("far leaf"),
		},
		{
			Name:  "fibre",
			Text:  "told all the same, a sender hears of it after 600 us and more: the fibre is in both",
			Grade: reproduction.Pass,
			Holds: func(f reproduction.Figures) (bool, string) {
				spine, leaf := f.In("far spine").Of("feedback, always"), f.In("far leaf").Of("feedback, always")
				return min(spine.Least(), leaf.Least()) > 600, fmt.Sprintf("%v and %v us", spine, leaf)
			},
		},
	},
}

// sooner holds if the slowest feedback of the scheme takes a share of the fastest of end-to-end
// ECN, or less.
func sooner(place string, share float64) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		scheme, ecn := f.In(place).Of("feedback, proximal"), f.In(place).Of("feedback, ecn")
		return scheme.Largest() <= share*ecn.Least(), scheme.String() + " us, end to end " + ecn.String() + " us"
	}
}

// sameAsECN holds if what was measured with the scheme is, seed by seed, what was measured without.
func sameAsECN(place string) func(reproduction.Figures) (bool, string) {
	return func(f reproduction.Figures) (bool, string) {
		f = f.In(place)
		same := true
		for _, what := range []string{"feedback, ", "lost, ", "duration, "} {
			same = same && slices.Equal(f.Of(what+"proximal").Values, f.Of(what+"ecn").Values)
		}
		return same, fmt.Sprintf("%v ms, end to end %v ms", f.Of("duration, proximal"), f.Of("duration, ecn"))
	}
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

func measureR2(r *reproduction.Results) (list []reproduction.Figure) {
	for _, place := range placesOfR2 {
		for _, variant := range r.Variants() {
			runs := r.Of("", variant, place.keys...)
			list = append(list,
				runs.Metric(place.name, "feedback, "+variant, "us", "feedback_us"),
				runs.Metric(place.name, "lost, "+variant, "frames", "drops"),
				runs.Figure(place.name, "duration, "+variant, "ms", func(run *reproduction.Run) float64 {
					return run.Metric("duration_us") / 1000
				}))
		}
	}
	return list
}
