package article

import (
	_ "embed"
	"fmt"

	"github.com/rocelab/rocelab/testbed/many/reproduce"
)

//go:embed a9.yaml
var a9Scenario []byte

var a9 = &reproduce.Row{
	ID:     "A9",
	Title:  "Marks at 50 to 80 % of the buffer keep loss at zero",
	Source: "Managing incast congestion",
	Paper:  Paper,
	Reading: "Sixteen flows into a port of 100 Gb/s that may use the whole pool, without PFC. Marks are by the " +
		"queue behind a frame as it leaves; in variant enqueue by the queue before it as it comes, which 16 MB " +
		"later is news of 1.28 ms ago.",
	Scenario: a9Scenario,
	Seeds:    []uint64{1, 2, 3, 4, 5},
	Quick:    reproduce.Form{Seeds: []uint64{1}, About: "one seed"},
	Measure:  measureA9,
}

// poolsOfA9 are the sizes of the pool in MB.
var poolsOfA9 = []string{"32", "16", "8", "4", "2"}

func measureA9(r *reproduce.Results) (list []reproduce.Figure) {
	for _, variant := range r.Variants() {
		smallest := 0.0
		for i, pool := range poolsOfA9 {
			runs := r.Of("", variant, "switch.buffer="+pool+"MB")
			lost := runs.Metric(variant, fmt.Sprintf("lost, %s MB", pool), "frames", "drops")
			list = append(list, lost, runs.Metric(variant, fmt.Sprintf("utilisation, %s MB", pool), "", "utilisation"))
			if i == 0 {
				list = append(list, runs.Figure(variant, "lost up to 1 ms, 32 MB", "frames", func(run *reproduce.Run) float64 {
					dropped := run.Series("series_ports.csv", "dropped_frames", "node=s0")
					return 10 * reproduce.Mean(dropped.Between(0, 1000))
				}))
			}
			if lost.Largest() == 0 {
				smallest = float64(whole(pool))
			}
		}
		list = append(list, reproduce.Figure{
			Column: variant,
			Name:   "smallest pool without loss, 0 for none",
			Unit:   "MB",
			Values: []float64{smallest},
		})
	}
	return list
}
