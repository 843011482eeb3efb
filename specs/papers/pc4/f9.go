package pc4

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed f9.yaml
var f9Scenario []byte

var f9 = &reproduce.Row{
	ID:     "F9",
	Title:  "Noise in the one-way delay, ten flows into one port",
	Source: "Section IV-E, Figure 9",
	Paper:  Paper,
	Doubts: []string{"D10"},
	Reading: "The noise is uniform, and only on the receiver's readings; noise of both clocks is beside it. A " +
		"negative delay is read literally, as printed: the decrease then multiplies the rate up. The robust " +
		"reading, that it is zero, is beside it. Queueing is the true wait.",
	Scenario: f9Scenario,
	Columns:  Columns,
	Seeds:    seeds,
	Quick: reproduce.Form{
		Grid:     map[string][]string{"nic.clock.noise": {"0ns", "400ns", "1000ns"}},
		Variants: []string{"literal", "robust", "literal-both"},
		Seeds:    seeds[:3],
		About:    "noise of 0, 400 and 1000 ns, three seeds",
	},
	Measure: measureF9,
}

func noisy(what, variant string, noise int) string {
	return fmt.Sprintf("%s, %s, %d ns", what, variant, noise)
}

func measureF9(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range []string{"literal", "robust", "literal-both", "robust-both", "steep"} {
		for noise := 0; noise <= 1000; noise += 200 {
			key := fmt.Sprintf("%dns", noise)
			if !slices.Contains(r.Values("nic.clock.noise"), key) {
				continue
			}
			for _, column := range columnsWith(r, variant) {
				runs := r.Of(column, variant, "nic.clock.noise="+key)
				list = append(list,
					runs.Metric(column, noisy("utilisation", variant, noise), "", "utilisation"),
					runs.Metric(column, noisy("mean RTT", variant, noise), "us", "rtt_mean_us"),
					runs.Metric(column, noisy("mean wait", variant, noise), "us", "queueing_mean_us"),
					runs.Metric(column, noisy("p99 wait", variant, noise), "us", "queueing_p99_us"))
			}
		}
	}
	return list
}
