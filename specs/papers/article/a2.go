package article

import (
	_ "embed"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a2.yaml
var a2Scenario []byte

var a2 = &reproduce.Row{
	ID:     "A2",
	Title:  "A random start of the recovery, against flows that recover together",
	Source: "Alpha scaling",
	Paper:  Paper,
	Doubts: []string{"D4"},
	Reading: "The article describes no set-up: here ten bursts of sixteen flows, one each millisecond, take 93 % " +
		"of a port. The gain is that of all payload over the time until the last flow is done.",
	Scenario: a2Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Measure:  measureA2,
	Published: []reproduce.Published{
		{
			Column:    "nvidia, timer",
			Figure:    "gain",
			Value:     0.175,
			Tolerance: 0.15,
			Source:    "\"15-20%\"",
		},
	},
}

func measureA2(r *reproduce.Results) (list []reproduce.Figure) {
	for _, set := range r.Values("algorithm.params.set") {
		for _, recovery := range r.Values("algorithm.params.recovery") {
			column := set + ", " + recovery
			of := func(variant, name, unit, metric string) reproduce.Figure {
				runs := r.Of("", variant, "algorithm.params.set="+set, "algorithm.params.recovery="+recovery)
				return runs.Metric(column, name, unit, metric)
			}
			without := of("at-once", "goodput, at once", "Gb/s", "goodput_gbps")
			with := of("jitter", "goodput, jitter", "Gb/s", "goodput_gbps")
			gain := reproduce.Figure{Column: column, Name: "gain"}
			for i := range min(len(with.Values), len(without.Values)) {
				gain.Values = append(gain.Values, with.Values[i]/without.Values[i]-1)
			}
			list = append(list, without, with, gain,
				of("at-once", "mean FCT, at once", "us", "fct_mean_us"),
				of("jitter", "mean FCT, jitter", "us", "fct_mean_us"))
		}
	}
	return list
}
